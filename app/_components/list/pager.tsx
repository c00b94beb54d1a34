import { useTranslations } from 'next-intl';
import Link from 'next/link';
import type { PagerParams } from '@/lib/present/pager';
import classes from './list.module.css';

interface PagerProps {
  label: string;
  previous: PagerParams | null;
  next: PagerParams | null;
  /** Address of this list at another place. */
  href: (place: PagerParams) => string;
  /** How many rows this page shows, in words. */
  shown: string;
}

/** Previous and next page of a keyset list, as links. */
export function Pager({ label, previous, next, href, shown }: PagerProps) {
  const t = useTranslations('operations.pager');
  return (
    <nav className={classes.pager} aria-label={label}>
      <span className={classes.quiet}>{shown}</span>
      {previous ? (
        <Link href={href(previous)} rel="prev">
          {t('previous')}
        </Link>
      ) : null}
      {next ? (
        <Link href={href(next)} rel="next">
          {t('next')}
        </Link>
      ) : null}
    </nav>
  );
}
