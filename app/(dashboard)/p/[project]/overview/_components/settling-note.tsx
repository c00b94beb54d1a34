import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { PageContext } from '@/lib/auth/context';
import { formatDuration } from '@/lib/present/duration';
import { getSettling } from '@/lib/queries/overview';
import classes from '../overview.module.css';

/** From here on a lag is worth saying: quiet traffic settles within five seconds. */
const LAG_MS_MIN = 10_000;

/** How far conclusions are behind what was received. */
export function SettlingNote({ page }: { page: PageContext }) {
  return (
    <Suspense fallback={null}>
      <Note page={page} />
    </Suspense>
  );
}

async function Note({ page }: { page: PageContext }) {
  const [t, settling] = await Promise.all([getTranslations('overview.settling'), getSettling(page).catch(() => null)]);
  if (settling === null) return <span className={classes.quiet}>{t('unknown')}</span>;
  if (settling.touched === 0 || settling.lagMs < LAG_MS_MIN) {
    return <span className={classes.quiet}>{t('current')}</span>;
  }
  return (
    <span className={classes.quiet} role="status">
      {t('behind', { count: settling.touched, lag: formatDuration(settling.lagMs, page.locale) })}
    </span>
  );
}
