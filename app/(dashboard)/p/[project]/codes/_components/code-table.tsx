import { getTranslations } from 'next-intl/server';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { ContradictedBadge } from '@/app/_components/badge/contradicted-badge';
import { TrendBadge } from '@/app/_components/badge/trend-badge';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { compareWithPrevious } from '@/lib/present/compare';
import { formatInstant, toIso } from '@/lib/present/instant';
import { formatCount, formatPercent } from '@/lib/present/number';
import { codePath, sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { parseSort, sortRows, type SortValue } from '@/lib/present/sort';
import { listCodes } from '@/lib/queries/codes';
import { listContradictions } from '@/lib/queries/contradictions';
import type { CodeRowView } from '@/lib/queries/views';
import classes from '../codes.module.css';

const SORTABLE = ['code', 'count', 'previous', 'change', 'last'] as const;

function valueOf(row: CodeRowView, column: string): SortValue {
  switch (column) {
    case 'code':
      return row.code;
    case 'previous':
      return row.previousCount;
    case 'change':
      return row.count - row.previousCount;
    case 'last':
      return row.lastAt;
    default:
      return row.count;
  }
}

interface CodeTableProps {
  page: PageContext;
  scope: Scope;
  /** As the URL says it. */
  sort: string | null;
}

/** Codes of the range beside the period before, which keeps those that have just fallen silent. */
export async function CodeTable({ page, scope, sort }: CodeTableProps) {
  const slug = page.project.slug;
  const [t, rows, contradictions] = await Promise.all([
    getTranslations('codes'),
    listCodes(page, scope.range, scope.filters),
    listContradictions(page, scope.range, scope.filters),
  ]);
  if (rows.length === 0) return <PanelEmpty />;
  const order = parseSort(sort, SORTABLE, { column: 'count', descending: true });
  return (
    <>
      <DataTable
        caption={t('list.caption')}
        rows={sortRows(rows, order, valueOf)}
        rowKey={(row) => `${row.profile} ${row.code}`}
        rowHref={(row) => codePath(slug, row.code) + writeScope(scope, { code: null })}
        sort={order}
        sortHref={(text) => sectionPath(slug, 'codes') + writeScope(scope, { extra: { sort: text } })}
        columns={await prepareColumns(page, scope, new Set(contradictions.map((one) => one.code)))}
      />
      <p className={classes.quiet}>{t('list.hint', { count: rows.length })}</p>
    </>
  );
}

async function prepareColumns(
  page: PageContext,
  scope: Scope,
  contradicted: ReadonlySet<string>,
): Promise<Column<CodeRowView>[]> {
  const { locale, now } = page;
  const t = await getTranslations('codes.column');
  const time = (at: number | null) =>
    at === null ? '–' : <time dateTime={toIso(at)}>{formatInstant(at, { locale, tz: scope.range.tz }, now)}</time>;
  return [
    {
      id: 'code',
      header: t('code'),
      sortable: true,
      minWidth: '11rem',
      cell: (row) => (
        <>
          <CodeText plain value={row.code} />
          {contradicted.has(row.code) ? (
            <span className={classes.mark}>
              <ContradictedBadge />
            </span>
          ) : null}
        </>
      ),
    },
    { id: 'profile', header: t('profile'), cell: (row) => <span className="mono">{row.profile}</span> },
    {
      id: 'actions',
      header: t('actions'),
      minWidth: '9rem',
      cell: (row) => (
        <div className={classes.badges}>
          {row.actions.map((action) => (
            <ActionBadge key={action} action={action} />
          ))}
        </div>
      ),
    },
    { id: 'count', header: t('count'), numeric: true, sortable: true, cell: (row) => formatCount(row.count, locale) },
    { id: 'rate', header: t('rate'), numeric: true, cell: (row) => formatPercent(row.rate, locale) },
    {
      id: 'previous',
      header: t('previous'),
      numeric: true,
      sortable: true,
      cell: (row) => (row.previousRate === null ? '–' : formatCount(row.previousCount, locale)),
    },
    {
      id: 'change',
      header: t('change'),
      sortable: true,
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
    { id: 'last', header: t('last'), numeric: true, sortable: true, cell: (row) => time(row.lastAt) },
  ];
}
