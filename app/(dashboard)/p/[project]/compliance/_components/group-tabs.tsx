import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { COMPLIANCE_GROUPS, type ComplianceGroup } from '@/lib/queries/views';
import classes from '../compliance.module.css';
import { writeGroup } from '../search-params';

/** What the table is grouped by; kept in the address. */
export function GroupTabs({ slug, scope, groupBy }: { slug: string; scope: Scope; groupBy: ComplianceGroup }) {
  const t = useTranslations('compliance.group');
  return (
    <nav aria-label={t('label')}>
      <ul className={classes.tabs}>
        {COMPLIANCE_GROUPS.map((group) => (
          <li key={group}>
            <Link
              href={sectionPath(slug, 'compliance') + writeScope(scope, { extra: writeGroup(group) })}
              aria-current={group === groupBy ? 'true' : undefined}
              prefetch={false}
              scroll={false}
            >
              {t(group)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
