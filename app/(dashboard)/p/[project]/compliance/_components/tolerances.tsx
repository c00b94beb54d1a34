import { getTranslations } from 'next-intl/server';
import type { PageContext } from '@/lib/auth/context';
import { formatDuration } from '@/lib/present/duration';
import classes from '../compliance.module.css';

const NAMES = [
  'toleranceSecondsMs',
  'toleranceStrictMs',
  'toleranceDateMs',
  'dateUncertaintyMs',
  'idleOverMs',
] as const;

/** What "early" means here: the tolerances in force, and how each word is judged. */
export async function Tolerances({ page }: { page: PageContext }) {
  const t = await getTranslations('compliance.tolerances');
  return (
    <>
      <dl className={classes.list}>
        {NAMES.map((name) => (
          <div key={name}>
            <dt>{formatDuration(page.project.settings[name], page.locale)}</dt>
            <dd>{t(name)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>{t('rate')}</p>
    </>
  );
}
