import { VisuallyHidden } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import type { Trend } from '@/lib/present/compare';
import type { Locale } from '@/lib/core/locale';
import { formatCount, formatNumber, formatPercent } from '@/lib/present/number';
import classes from './badge.module.css';

interface TrendBadgeProps {
  trend: Trend;
  /** Which way is worse. Default: up. */
  worse?: 'up' | 'down' | 'neither';
  /** How a difference without a ratio is written. Default: as a count. */
  unit?: 'count' | 'points';
  /** In a cell of a column, where the words for "no baseline" would stand in every row: a dash that tells them. */
  cell?: boolean;
}

/** How a number moved against the period before; the arrow and the words say it without colour. */
export function TrendBadge({ trend, worse = 'up', unit = 'count', cell = false }: TrendBadgeProps) {
  const t = useTranslations('common.trend');
  const locale = useLocale();
  if (trend.kind === 'none') return null;
  if (trend.kind === 'no_baseline' && cell) {
    return (
      <span className={classes.trend} data-tone="quiet" title={t('no_baseline')}>
        <span aria-hidden>–</span>
        <VisuallyHidden>{t('no_baseline')}</VisuallyHidden>
      </span>
    );
  }
  if (trend.kind === 'no_baseline' || trend.kind === 'same') {
    return (
      <span className={classes.trend} data-tone="quiet">
        {trend.kind === 'same' ? <IconEqual size={14} aria-hidden /> : null}
        {t(trend.kind)}
      </span>
    );
  }
  const up = trend.kind === 'rise';
  const tone = worse === 'neither' ? 'quiet' : (worse === 'up') === up ? 'bad' : 'good';
  const words = wordsOf(trend, unit, locale, t);
  const Icon = up ? IconArrowUpRight : IconArrowDownRight;
  return (
    <span className={classes.trend} data-tone={tone}>
      <Icon size={14} stroke={2.4} aria-hidden />
      {words}
    </span>
  );
}

type Moved = Extract<Trend, { kind: 'rise' | 'fall' }>;
type Translate = ReturnType<typeof useTranslations<'common.trend'>>;

/** From this ratio on a percentage is no longer read as a size: "12 times as many" is. */
const FOLD_FROM = 9.995;
/** Less than a tenth of a percentage point has no number to show. */
const SLIGHT = 0.0005;

function wordsOf(trend: Moved, unit: 'count' | 'points', locale: Locale, t: Translate): string {
  if (unit === 'points') {
    if (trend.difference < SLIGHT) return t(`${trend.kind}Slight`);
    return t(trend.kind, { size: t('points', { value: formatNumber(trend.difference * 100, locale, 1) }) });
  }
  if (trend.share === null) {
    return t(trend.kind, { size: t('fromZero', { value: formatCount(trend.difference, locale) }) });
  }
  if (trend.kind === 'rise' && trend.share >= FOLD_FROM) return t('fold', { count: Math.round(trend.share + 1) });
  return t(trend.kind, { size: formatPercent(trend.share, locale) });
}
