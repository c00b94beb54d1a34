import { useLocale, useTranslations } from 'next-intl';
import { SeverityBadge } from '@/app/_components/finding/severity-badge';
import { useCheckWords } from '@/app/_components/finding/use-check-words';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { SEVERITIES } from '@/lib/core/operation';
import { formatInstant, toIso } from '@/lib/present/instant';
import { formatCount } from '@/lib/present/number';
import { findingPath, sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { parseSort, sortRows, type SortValue } from '@/lib/present/sort';
import type { FindingCountView } from '@/lib/queries/views';
import classes from '../findings.module.css';
import { writeFindingParams, type FindingParams } from '../search-params';
import { useSeverityColumns } from './severity-columns';

const SORTABLE = ['check', 'worst', ...SEVERITIES, 'operations', 'services', 'last'] as const;

/** Rank of the worst severity first, then how often that one occurs. */
function gravity(row: FindingCountView): number {
  return (SEVERITIES.length - SEVERITIES.indexOf(row.worst)) * 1e9 + Math.min(row.counts[row.worst], 1e9 - 1);
}

function valueOf(row: FindingCountView, column: string, words: (check: string) => string): SortValue {
  const severity = SEVERITIES.find((one) => one === column);
  if (severity) return row.counts[severity];
  switch (column) {
    case 'check':
      return words(row.check);
    case 'operations':
      return row.operations;
    case 'services':
      return row.services;
    case 'last':
      return row.lastAt;
    default:
      return gravity(row);
  }
}

interface CheckRowsProps {
  slug: string;
  now: number;
  scope: Scope;
  asked: FindingParams;
  rows: FindingCountView[];
}

export function CheckRows({ slug, now, scope, asked, rows }: CheckRowsProps) {
  const t = useTranslations('findings.checks');
  const words = useCheckWords();
  const order = parseSort(asked.sort, SORTABLE, { column: 'worst', descending: true });
  return (
    <>
      <DataTable
        caption={t('caption')}
        rows={sortRows(rows, order, (row, column) => valueOf(row, column, words))}
        rowKey={(row) => row.check}
        rowHref={(row) =>
          findingPath(slug, row.check) + writeScope(scope, { extra: writeFindingParams({ severity: asked.severity }) })
        }
        sort={order}
        sortHref={(sort) =>
          sectionPath(slug, 'findings') + writeScope(scope, { extra: writeFindingParams({ ...asked, sort }) })
        }
        columns={useColumns(now, scope.range.tz)}
      />
      <p className={classes.quiet}>{t('hint', { count: rows.length })}</p>
    </>
  );
}

function useColumns(now: number, tz: string): Column<FindingCountView>[] {
  const t = useTranslations('findings.checks');
  const words = useCheckWords();
  const locale = useLocale();
  const time = (at: number) => <time dateTime={toIso(at)}>{formatInstant(at, { locale, tz }, now)}</time>;
  return [
    {
      id: 'check',
      header: t('check'),
      sortable: true,
      minWidth: '11rem',
      cell: (row) => words(row.check),
    },
    { id: 'worst', header: t('worst'), sortable: true, cell: (row) => <SeverityBadge severity={row.worst} /> },
    ...useSeverityColumns<FindingCountView>((row) => row.counts),
    {
      id: 'operations',
      header: t('operations'),
      numeric: true,
      sortable: true,
      cell: (row) => formatCount(row.operations, locale),
    },
    {
      id: 'services',
      header: t('services'),
      numeric: true,
      sortable: true,
      cell: (row) => formatCount(row.services, locale),
    },
    {
      id: 'last',
      header: t('span'),
      numeric: true,
      sortable: true,
      cell: (row) => (
        <>
          {time(row.firstAt)}
          <br />
          {time(row.lastAt)}
        </>
      ),
    },
  ];
}
