import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { ShareBars } from '@/app/_components/chart/share-bars';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import { codePath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import type { CodeDetailView } from '@/lib/queries/views';
import classes from '../../codes.module.css';

const ROWS_MAX = 8;

interface CodeGroupsProps {
  page: PageContext;
  scope: Scope;
  code: string;
  detail: Promise<CodeDetailView | null>;
}

/** Who gets this code: by service, call, kind and SDK version. Each name narrows this page. */
export async function CodeGroups({ page, scope, code, detail }: CodeGroupsProps) {
  const [t, common, found] = await Promise.all([getTranslations('codes.groups'), getTranslations('common'), detail]);
  if (!found || found.total.count === 0) return <PanelEmpty />;
  const groups = [
    ['service', found.byService],
    ['call', found.byCall],
    ['kind', found.byKind],
    ['sdk', found.bySdk],
  ] as const;
  return (
    <div className={classes.groups}>
      {groups.map(([field, rows]) => {
        const longest = rows[0]?.count ?? 1;
        const nameOf = (key: string): string =>
          key === '' ? common('notSet') : field === 'kind' ? common(key === 'read' ? 'kind.read' : 'kind.write') : key;
        return (
          <section key={field}>
            <h3>{common(`filter.${field}`)}</h3>
            <ShareBars
              label={common(`filter.${field}`)}
              bars={rows.slice(0, ROWS_MAX).map((row) => ({
                key: row.key,
                count: row.count,
                share: row.count / longest,
                label: (
                  <Link
                    href={codePath(page.project.slug, code) + writeScope(scope, { [field]: [row.key] })}
                    prefetch={false}
                    className={classes.groupLink}
                  >
                    {nameOf(row.key)}
                  </Link>
                ),
              }))}
            />
            {rows.length > ROWS_MAX ? (
              <p className={classes.quiet}>{t('more', { count: rows.length - ROWS_MAX })}</p>
            ) : null}
          </section>
        );
      })}
    </div>
  );
}
