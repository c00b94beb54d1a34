import { useLocale, useTranslations } from 'next-intl';
import { readRate, SAMPLE_MIN } from '@/lib/present/compare';
import { formatCount, formatPercent } from '@/lib/present/number';
import classes from './badge.module.css';

/** A share, or that there is too little to say one. */
export function RateCell({ share, sample }: { share: number | null; sample: number }) {
  const t = useTranslations('common.rate');
  const locale = useLocale();
  const reading = readRate(share, sample);
  if (reading.kind === 'not_enough') {
    return (
      <span
        className={classes.trend}
        data-tone="quiet"
        title={t('notEnoughTip', { count: sample, min: formatCount(SAMPLE_MIN, locale) })}
      >
        {t('not_enough')}
      </span>
    );
  }
  return formatPercent(reading.kind === 'rate' ? reading.share : null, locale);
}
