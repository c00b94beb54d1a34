import { getTranslations } from 'next-intl/server';
import { RateCell } from '@/app/_components/badge/rate-cell';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { formatDuration } from '@/lib/present/duration';
import { formatCount } from '@/lib/present/number';
import { codePath, sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { parseSort, sortRows } from '@/lib/present/sort';
import type { ComplianceGroup, ComplianceRow, ComplianceView } from '@/lib/queries/views';
import { writeGroup } from '../search-params';

const COUNTS = [
  'asked',
  'honoured',
  'early',
  'earlyCapped',
  'pending',
  'noRetryObserved',
  'gaveUp',
  'unusable',
  'notJudged',
] as const;
const LENGTHS = ['earlyMsP50', 'earlyMsMax', 'overWaitMs'] as const;
const SORTABLE = ['key', 'rate', ...COUNTS, ...LENGTHS] as const;

function judgedOf(row: ComplianceRow): number {
  return row.honoured + row.early + row.earlyCapped;
}

function valueOf(row: ComplianceRow, column: string): string | number | null {
  const known = SORTABLE.find((name) => name === column);
  return known ? row[known] : null;
}

interface ComplianceTableProps {
  page: PageContext;
  scope: Scope;
  view: Promise<ComplianceView>;
  groupBy: ComplianceGroup;
  /** As the URL says it. */
  sort: string | null;
}

/** One row a service, SDK version, code or call. */
export async function ComplianceTable({ page, scope, view, groupBy, sort }: ComplianceTableProps) {
  const [t, { rows }] = await Promise.all([getTranslations('compliance'), view]);
  if (rows.length === 0) return <PanelEmpty>{t('figures.nothing')}</PanelEmpty>;
  const slug = page.project.slug;
  const order = parseSort(sort, SORTABLE, { column: 'early', descending: true });
  const path = sectionPath(slug, 'compliance');
  // A group's row narrows this page to it and shows the next finer question: which codes asked, by default.
  const rowHref = (row: ComplianceRow): string =>
    groupBy === 'code'
      ? codePath(slug, row.key) + writeScope(scope, { code: null })
      : path + writeScope(scope, { [groupBy]: [row.key], extra: writeGroup(groupBy === 'service' ? 'sdk' : 'code') });
  return (
    <DataTable
      caption={t('table.caption', { group: t(`group.${groupBy}`) })}
      rows={sortRows(rows, order, valueOf)}
      rowKey={(row) => row.key}
      rowHref={rowHref}
      sort={order}
      sortHref={(text) => path + writeScope(scope, { extra: { ...writeGroup(groupBy), sort: text } })}
      columns={await prepareColumns(page, groupBy)}
    />
  );
}

async function prepareColumns(page: PageContext, groupBy: ComplianceGroup): Promise<Column<ComplianceRow>[]> {
  const { locale } = page;
  const [t, notSet] = await Promise.all([
    getTranslations('compliance'),
    getTranslations('common').then((common) => common('notSet')),
  ]);
  return [
    {
      id: 'key',
      header: t(`group.${groupBy}`),
      sortable: true,
      minWidth: '7rem',
      cell: (row) => (row.key === '' ? notSet : <span className="mono">{row.key}</span>),
    },
    {
      id: 'rate',
      header: t('figures.rate'),
      numeric: true,
      sortable: true,
      cell: (row) => <RateCell share={row.rate} sample={judgedOf(row)} />,
    },
    ...COUNTS.map((name) => ({
      id: name,
      header: t(`figures.${name}`),
      numeric: true,
      sortable: true,
      cell: (row: ComplianceRow) => formatCount(row[name], locale),
    })),
    ...LENGTHS.map((name) => ({
      id: name,
      header: t(`table.${name}`),
      numeric: true,
      sortable: true,
      cell: (row: ComplianceRow) => formatDuration(row[name], locale),
    })),
  ];
}
