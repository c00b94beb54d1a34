import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import type { Trend } from '@/lib/present/compare';
import type { Locale } from '@/lib/present/locale';
import { formatCount, formatPercent } from '@/lib/present/number';
import classes from './badge.module.css';

interface TrendBadgeProps {
  trend: Trend;
  /** Which way is worse. Default: up. */
  worse?: 'up' | 'down' | 'neither';
  /** How a difference without a ratio is written. Default: as a count. */
  unit?: 'count' | 'points';
}

/** How a number moved against the period before; the arrow and the words say it without colour. */
export function TrendBadge({ trend, worse = 'up', unit = 'count' }: TrendBadgeProps) {
  const t = useTranslations('common.trend');
  const locale = useLocale() as Locale;
  if (trend.kind === 'none') return null;
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
  const size =
    unit === 'points'
      ? t('points', { value: formatPercent(trend.difference, locale) })
      : trend.share === null
        ? t('fromZero', { value: formatCount(trend.difference, locale) })
        : trend.share >= 9.995
          ? t('times', { value: formatCount(trend.share + 1, locale) })
          : formatPercent(trend.share, locale);
  const Icon = up ? IconArrowUpRight : IconArrowDownRight;
  return (
    <span className={classes.trend} data-tone={tone}>
      <Icon size={14} stroke={2.4} aria-hidden />
      {t(trend.kind, { size })}
    </span>
  );
}
