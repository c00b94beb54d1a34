import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { SCORECARD_GROUPS } from '@/lib/queries/finding-view';
import classes from '../findings.module.css';
import { writeFindingParams, type FindingParams } from '../search-params';

/** What the scorecard compares; kept in the address. */
export function GroupTabs({ slug, scope, asked }: { slug: string; scope: Scope; asked: FindingParams }) {
  const t = useTranslations('findings.scorecard');
  return (
    <nav aria-label={t('by')}>
      <ul className={classes.tabs}>
        {SCORECARD_GROUPS.map((by) => (
          <li key={by}>
            <Link
              href={sectionPath(slug, 'findings') + writeScope(scope, { extra: writeFindingParams({ ...asked, by }) })}
              aria-current={by === asked.by ? 'true' : undefined}
              prefetch={false}
              scroll={false}
            >
              {t(by)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
