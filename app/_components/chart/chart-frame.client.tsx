'use client';

import { Button } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import classes from './chart.module.css';

/** Room above the drawing for half of the highest label, and behind the last bucket for half of its name, px. */
export const AXIS_ROOM = { top: 8, right: 24 };
/** Room for a label as long as "99,9 тыс.", px. */
export const AXIS_WIDTH = 76;

interface ChartFrameProps {
  /** What the drawing says, in words, for who does not see it. */
  summary: string;
  legend?: ReactNode;
  /** Further switches beside the table one. */
  tools?: ReactNode;
  chart: ReactNode;
  /** The same numbers; made only when asked for. */
  table: () => ReactNode;
}

/** Every chart has its numbers as a table, one press away. */
export function ChartFrame({ summary, legend, tools, chart, table }: ChartFrameProps) {
  const t = useTranslations('common.chart');
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className={classes.figure}>
      <div className={classes.tools}>
        {legend ?? <span />}
        <span>
          {tools}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={asTable ? <IconChartBar size={14} aria-hidden /> : <IconTable size={14} aria-hidden />}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? t('showChart') : t('showTable')}
          </Button>
        </span>
      </div>
      {asTable ? (
        table()
      ) : (
        <div role="img" aria-label={summary}>
          {chart}
        </div>
      )}
    </figure>
  );
}
