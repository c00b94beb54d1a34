import { useTranslations } from 'next-intl';
import type { RuleRow } from '@/lib/core/rules/rule';
import classes from './rules.module.css';

export function ReachedText({ row }: { row: RuleRow }) {
  const t = useTranslations('rules.reached');
  return (
    <>
      {t(row.reached)}
      {row.hop === 'app' ? <small className={classes.note}>{t('app')}</small> : null}
    </>
  );
}
