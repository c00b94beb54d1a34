import { VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import classes from './state.module.css';

/** On its way: quiet bars about as tall as what will come, so that the page doesn't jump. */
export function LoadingPanel({ what, rows = 4 }: { what: string; rows?: number }) {
  const t = useTranslations('shell.state');
  return (
    <div className={classes.loading} role="status" data-state="loading">
      <VisuallyHidden>{t('loadingLabel', { what })}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.bar} aria-hidden />
      ))}
    </div>
  );
}
