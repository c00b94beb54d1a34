'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatCount, formatPercent } from '@/lib/present/number';
import type { ChartPoint, ChartSeries } from '@/lib/present/rate-chart';
import classes from './chart.module.css';

interface RateTipProps {
  point: ChartPoint;
  series: readonly ChartSeries[];
  nameOf: (key: string) => string;
}

/** All numbers of one bucket. */
export function RateTip({ point, series, nameOf }: RateTipProps) {
  const t = useTranslations('common.chart');
  const locale = useLocale();
  const shown = series.filter((one) => (point.values[one.id] ?? 0) > 0);
  return (
    <div className={classes.tip}>
      <b>{point.incomplete ? t('unfinishedMark', { label: point.title }) : point.title}</b>
      <table>
        <tbody>
          <TipRow name={t('errors')} value={formatCount(point.errors, locale)} />
          <TipRow name={t('attempts')} value={formatCount(point.attempts, locale)} />
          <TipRow name={t('share')} value={formatPercent(point.share, locale)} />
          {point.previous === null ? null : <TipRow name={t('previous')} value={formatCount(point.previous, locale)} />}
          {shown.map((one) => (
            <TipRow key={one.id} name={nameOf(one.key)} value={formatCount(point.values[one.id] ?? 0, locale)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TipRow({ name, value }: { name: string; value: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{value}</td>
    </tr>
  );
}
