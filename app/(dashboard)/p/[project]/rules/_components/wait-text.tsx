import { useLocale, useTranslations } from 'next-intl';
import type { RuleRow } from '@/lib/core/rules/rule';
import { formatDuration } from '@/lib/present/duration';
import classes from './rules.module.css';

export function WaitText({ row }: { row: RuleRow }) {
  const t = useTranslations('rules.wait');
  const locale = useLocale();
  return (
    <>
      {t(row.wait)}
      {row.waitMsMin === undefined ? null : (
        <small className={classes.note}>{t('min', { length: formatDuration(row.waitMsMin, locale) })}</small>
      )}
      {row.retriesMax === undefined ? null : (
        <small className={classes.note}>{t('retries', { count: row.retriesMax })}</small>
      )}
    </>
  );
}
