import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { TrendBadge } from '@/app/_components/badge/trend-badge';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { DataTable } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { compareWithPrevious } from '@/lib/present/compare';
import { formatCount } from '@/lib/present/number';
import { codePath, sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { prepareCodes } from '@/lib/queries/codes';
import classes from '../overview.module.css';
import { readRates } from './read-periods';

const ROWS_MAX = 10;

/** The most frequent failure codes and how they moved. */
export async function CodesPanel({ page, scope }: { page: PageContext; scope: Scope }) {
  const { locale } = page;
  const slug = page.project.slug;
  const [t, rates] = await Promise.all([getTranslations('overview.codes'), readRates(page, scope)]);
  const codes = prepareCodes(rates.now, rates.before, scope.filters).filter((row) => row.count > 0);
  if (codes.length === 0) return <PanelEmpty>{t('none')}</PanelEmpty>;
  return (
    <>
      <DataTable
        caption={t('title')}
        rows={codes.slice(0, ROWS_MAX)}
        rowKey={(row) => `${row.profile} ${row.code}`}
        rowHref={(row) => codePath(slug, row.code) + writeScope(scope, { code: null })}
        columns={[
          { id: 'code', header: t('code'), minWidth: '10rem', cell: (row) => <CodeText plain value={row.code} /> },
          { id: 'count', header: t('count'), numeric: true, cell: (row) => formatCount(row.count, locale) },
          {
            id: 'trend',
            header: t('trend'),
            cell: (row) => (
              <TrendBadge
                cell
                trend={compareWithPrevious(row.count, row.previousCount, {
                  current: row.attempts,
                  previous: row.previousAttempts,
                })}
              />
            ),
          },
          {
            id: 'actions',
            header: t('actions'),
            cell: (row) => row.actions.map((action) => <ActionBadge key={action} action={action} compact />),
          },
        ]}
      />
      <p className={classes.quiet}>
        <Link href={sectionPath(slug, 'codes') + writeScope(scope)} prefetch={false}>
          {t('all', { count: codes.length })}
        </Link>
      </p>
    </>
  );
}
