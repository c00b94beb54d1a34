import { useTranslations } from 'next-intl';
import classes from './operation.module.css';

/** The stored event, as received and masked. */
export function RawEvent({ raw }: { raw: unknown }) {
  const t = useTranslations('operations.attempt');
  return (
    <details className={classes.raw}>
      <summary>{t('raw')}</summary>
      <pre tabIndex={0} aria-label={t('raw')}>
        {JSON.stringify(raw, null, 2)}
      </pre>
    </details>
  );
}
