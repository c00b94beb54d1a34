import { useLocale, useTranslations } from 'next-intl';
import { formatAge } from '@/lib/present/duration';
import { formatMoney } from '@/lib/present/number';
import type { ReviewSummaryView } from '@/lib/queries/views';
import classes from './review.module.css';

/** Age, deadline and money of everything unresolved, with the scope it speaks of. */
export function ReviewSummary({ summary, now }: { summary: ReviewSummaryView; now: number }) {
  const t = useTranslations('review.summary');
  const locale = useLocale();
  const { oldestOpenedAt, pastDue, atStake } = summary;
  if (oldestOpenedAt === null) return <p className={classes.line}>{t('nothing')}</p>;
  const sums = atStake.map((money) => formatMoney(money, locale)).join(' + ');
  return (
    <p className={classes.line}>
      <span>{t('oldest', { age: formatAge(now - oldestOpenedAt, locale) })}</span>
      <span data-bad={pastDue > 0 || undefined}>{t('pastDue', { count: pastDue })}</span>
      {sums === '' ? null : <span>{t('atStake', { sums })}</span>}
      <span className={classes.quiet}>({t('scope')})</span>
    </p>
  );
}
