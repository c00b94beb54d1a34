'use client';

import { LineChart } from '@mantine/charts';
import { useLocale, useTranslations } from 'next-intl';
import { formatCount, formatPercent } from '@/lib/present/number';
import type { ShareChartModel, SharePoint } from '@/lib/present/share-chart';
import { DataTable } from '../table/data-table';
import { AXIS_ROOM, AXIS_WIDTH, ChartFrame } from './chart-frame.client';
import classes from './chart.module.css';

interface ShareChartProps {
  model: ShareChartModel;
  title: string;
  /** Name of the share, of the counted part and of the whole. */
  names: { share: string; part: string; whole: string };
  colour: string;
  /** Whole: the axis always ends at 100 %, for a share that should be near it. Default: at the highest point. */
  scale?: 'whole' | 'fit';
}

/** One share over time, from 0 to 100 %; a bucket with too little to say anything is a gap. */
export function ShareChart({ model, title, names, colour, scale = 'fit' }: ShareChartProps) {
  const t = useTranslations('common.chart');
  const locale = useLocale();
  const { points } = model;
  const known = points.filter((point) => point.share !== null);
  const lowest = known.reduce<SharePoint | null>(
    (low, point) => (low === null || (point.share ?? 1) < (low.share ?? 1) ? point : low),
    null,
  );
  const summary = `${title}. ${lowest ? `${lowest.title}: ${formatPercent(lowest.share, locale)}` : t('nothing')}`;
  const labels = new Map(points.map((point) => [String(point.at), point.label]));
  const rows = points.map((point) => ({ ...point, place: String(point.at) }));
  const label = (point: SharePoint): string =>
    point.incomplete ? t('unfinishedMark', { label: point.title }) : point.title;
  return (
    <ChartFrame
      summary={summary}
      chart={
        <LineChart
          h={180}
          className={classes.drawing}
          data={rows}
          dataKey="place"
          series={[{ name: 'share', label: names.share, color: colour }]}
          curveType="linear"
          connectNulls={false}
          withDots={known.length <= 60}
          dotProps={{ r: 2 }}
          tickLine="none"
          lineChartProps={{ accessibilityLayer: false, margin: AXIS_ROOM }}
          lineProps={{ isAnimationActive: false }}
          yAxisProps={{
            domain: [0, scale === 'whole' ? 1 : 'auto'],
            width: AXIS_WIDTH,
            tickFormatter: (value: number) => formatPercent(value, locale),
          }}
          xAxisProps={{
            tickFormatter: (value: string) => labels.get(value) ?? '',
            ticks: model.ticks.map(String),
            interval: 'equidistantPreserveStart',
          }}
          tooltipAnimationDuration={0}
          tooltipProps={{
            content: ({ payload }) => {
              const row = payload?.[0]?.payload as SharePoint | undefined;
              return row ? (
                <div className={classes.tip}>
                  <b>{label(row)}</b>
                  <div>
                    {names.share}: {formatPercent(row.share, locale)} ({formatCount(row.part, locale)} /{' '}
                    {formatCount(row.whole, locale)})
                  </div>
                </div>
              ) : null;
            },
          }}
        />
      }
      table={() => (
        <DataTable
          caption={title}
          rows={points}
          rowKey={(point) => String(point.at)}
          columns={[
            { id: 'time', header: t('time'), cell: label },
            { id: 'share', header: names.share, numeric: true, cell: (point) => formatPercent(point.share, locale) },
            { id: 'part', header: names.part, numeric: true, cell: (point) => formatCount(point.part, locale) },
            { id: 'whole', header: names.whole, numeric: true, cell: (point) => formatCount(point.whole, locale) },
          ]}
        />
      )}
    />
  );
}
