'use client';

import { BarChart } from '@mantine/charts';
import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { useMemo } from 'react';
import { Line, ReferenceArea } from 'recharts';
import { OTHER_KEY } from '@/lib/present/colour';
import { formatCompact, formatCount, formatPercent } from '@/lib/present/number';
import type { ChartPoint, RateChartModel } from '@/lib/present/rate-chart';
import { DataTable } from '../table/data-table';
import { AXIS_ROOM, AXIS_WIDTH, ChartFrame } from './chart-frame.client';
import classes from './chart.module.css';
import { RateTip } from './rate-tip.client';

interface RateChartProps {
  model: RateChartModel;
  /** What the chart is of; heads the text alternative and the table. */
  title: string;
  /** Where a key's name in the legend leads, by key. */
  hrefs?: Readonly<Record<string, string>>;
  /** Names of keys where the key itself is not the name. */
  names?: Readonly<Record<string, string>>;
}

/** Error counts by key, stacked, with the previous period as a dashed line and the running bucket marked. */
export function RateChart({ model, title, hrefs = {}, names = {} }: RateChartProps) {
  const t = useTranslations('common.chart');
  const locale = useLocale();
  const nameOf = (key: string): string => (key === OTHER_KEY ? t('other') : (names[key] ?? key));
  const summary = [
    `${title}. ${t('errors')}: ${formatCount(model.totalErrors, locale)} / ${formatCount(model.totalAttempts, locale)}.`,
    model.peak ? `${model.peak.title}: ${formatCount(model.peak.errors, locale)}.` : '',
    model.series.map((one) => `${nameOf(one.key)}: ${formatCount(one.total, locale)}`).join(', '),
  ].join(' ');
  return (
    <ChartFrame
      summary={summary}
      legend={<Legend model={model} nameOf={nameOf} hrefs={hrefs} />}
      chart={<Drawing model={model} nameOf={nameOf} />}
      table={() => <PointTable model={model} title={title} nameOf={nameOf} />}
    />
  );
}

interface PartProps {
  model: RateChartModel;
  nameOf: (key: string) => string;
}

function Legend({ model, nameOf, hrefs }: PartProps & { hrefs: Readonly<Record<string, string>> }) {
  const t = useTranslations('common.chart');
  return (
    <ul className={classes.legend}>
      {model.series.map((one) => {
        const [name = 'gray', shade = '6'] = one.colour.split('.');
        const href = hrefs[one.key];
        return (
          <li key={one.id}>
            <span
              className={classes.swatch}
              style={{ '--swatch': `var(--mantine-color-${name}-${shade})` } as React.CSSProperties}
            />
            {href ? <Link href={href}>{nameOf(one.key)}</Link> : <span>{nameOf(one.key)}</span>}
          </li>
        );
      })}
      {model.hasPrevious ? (
        <li>
          <span className={classes.swatch} data-shape="line" />
          {t('previous')}
        </li>
      ) : null}
      {model.hasIncomplete ? (
        <li>
          <span className={classes.swatch} data-shape="unfinished" />
          {t('unfinished')}
        </li>
      ) : null}
    </ul>
  );
}

type Row = ChartPoint & Record<string, unknown>;

function Drawing({ model, nameOf }: PartProps) {
  const locale = useLocale();
  const rows = useMemo(
    () => model.points.map((point): Row => ({ ...point, ...point.values, place: String(point.at) })),
    [model],
  );
  const labels = useMemo(() => new Map(rows.map((row) => [row['place'] as string, row.label])), [rows]);
  const unfinished = rows.filter((row) => row.incomplete).map((row) => row['place'] as string);
  return (
    <BarChart
      className={classes.drawing}
      h={230}
      data={rows}
      dataKey="place"
      type="stacked"
      series={model.series.map((one) => ({ name: one.id, label: nameOf(one.key), color: one.colour }))}
      tickLine="none"
      gridAxis="x"
      accessibilityLayer={false}
      maxBarWidth={40}
      barChartProps={{ barCategoryGap: 1, margin: AXIS_ROOM }}
      xAxisProps={{
        tickFormatter: (value: string) => labels.get(value) ?? '',
        ticks: model.ticks.map(String),
        interval: 'equidistantPreserveStart',
      }}
      yAxisProps={{
        tickFormatter: (value: number) => formatCompact(value, locale),
        allowDecimals: false,
        width: AXIS_WIDTH,
      }}
      tooltipAnimationDuration={0}
      tooltipProps={{
        content: ({ payload }) => {
          const row = payload?.[0]?.payload as Row | undefined;
          return row ? <RateTip point={row} series={model.series} nameOf={nameOf} /> : null;
        },
      }}
    >
      {unfinished.length > 0 ? (
        <ReferenceArea
          x1={unfinished[0]}
          x2={unfinished.at(-1)}
          fill="var(--mantine-color-dimmed)"
          fillOpacity={0.14}
          stroke="var(--mantine-color-dimmed)"
          strokeDasharray="3 3"
        />
      ) : null}
      {model.hasPrevious ? (
        <Line
          dataKey="previous"
          type="linear"
          stroke="var(--mantine-color-dimmed)"
          strokeWidth={1.5}
          strokeDasharray="5 4"
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      ) : null}
    </BarChart>
  );
}

function PointTable({ model, title, nameOf }: PartProps & { title: string }) {
  const t = useTranslations('common.chart');
  const locale = useLocale();
  return (
    <DataTable
      caption={title}
      rows={model.points}
      rowKey={(point) => String(point.at)}
      columns={[
        {
          id: 'time',
          header: t('time'),
          cell: (point) => (point.incomplete ? t('unfinishedMark', { label: point.title }) : point.title),
        },
        { id: 'errors', header: t('errors'), numeric: true, cell: (point) => formatCount(point.errors, locale) },
        { id: 'attempts', header: t('attempts'), numeric: true, cell: (point) => formatCount(point.attempts, locale) },
        { id: 'share', header: t('share'), numeric: true, cell: (point) => formatPercent(point.share, locale) },
        ...(model.hasPrevious
          ? [
              {
                id: 'previous',
                header: t('previous'),
                numeric: true,
                cell: (point: ChartPoint) => (point.previous === null ? '–' : formatCount(point.previous, locale)),
              },
            ]
          : []),
        ...model.series.map((one) => ({
          id: one.id,
          header: nameOf(one.key),
          numeric: true,
          cell: (point: ChartPoint) => formatCount(point.values[one.id] ?? 0, locale),
        })),
      ]}
    />
  );
}
