import { getTranslations } from 'next-intl/server';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { DataTable } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { formatDuration } from '@/lib/present/duration';
import { formatInstant, toIso } from '@/lib/present/instant';
import { formatCount } from '@/lib/present/number';
import { operationPath } from '@/lib/present/routes';
import type { Scope } from '@/lib/present/scope';
import { listAlwaysEarly } from '@/lib/queries/always-early';
import classes from '../compliance.module.css';

/** Operations that burnt every retry inside the asked wait. */
export async function AlwaysEarlyList({ page, scope }: { page: PageContext; scope: Scope }) {
  const [t, rows] = await Promise.all([
    getTranslations('compliance.always'),
    listAlwaysEarly(page, scope.range, scope.filters),
  ]);
  if (rows.length === 0) return <PanelEmpty>{t('nothing')}</PanelEmpty>;
  const { locale, now } = page;
  return (
    <>
      <DataTable
        caption={t('title')}
        rows={rows}
        rowKey={(row) => row.operationId}
        rowHref={(row) => operationPath(page.project.slug, row.operationId)}
        columns={[
          {
            id: 'operation',
            header: t('operation'),
            minWidth: '11rem',
            cell: (row) => <CodeText plain value={row.operationId} />,
          },
          {
            id: 'service',
            header: t('service'),
            minWidth: '7rem',
            cell: (row) => <span className="mono">{row.service}</span>,
          },
          { id: 'call', header: t('call'), minWidth: '9rem', cell: (row) => <CodeText plain value={row.call} /> },
          { id: 'code', header: t('code'), minWidth: '9rem', cell: (row) => <CodeText plain value={row.code} /> },
          { id: 'retries', header: t('retries'), numeric: true, cell: (row) => formatCount(row.retries, locale) },
          { id: 'early', header: t('earlyMax'), numeric: true, cell: (row) => formatDuration(row.earlyMsMax, locale) },
          {
            id: 'at',
            header: t('at'),
            numeric: true,
            cell: (row) => (
              <time dateTime={toIso(row.at)}>{formatInstant(row.at, { locale, tz: scope.range.tz }, now)}</time>
            ),
          },
        ]}
      />
      <p className={classes.quiet}>{t('count', { count: rows.length })}</p>
    </>
  );
}
