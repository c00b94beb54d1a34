import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { useCheckWords } from '@/app/_components/finding/use-check-words';
import { SEVERITIES } from '@/lib/core/operation';
import { SAMPLE_MIN } from '@/lib/present/compare';
import { formatCount, formatNumber, NO_VALUE } from '@/lib/present/number';
import { findingPath, sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { parseSort, sortRows, type SortValue } from '@/lib/present/sort';
import type { ScorecardRowView } from '@/lib/queries/views';
import classes from '../findings.module.css';
import { writeFindingParams, type FindingParams } from '../search-params';
import { useSeverityColumns } from './severity-columns';

const SORTABLE = ['key', 'operations', 'rate', ...SEVERITIES] as const;

/** Checks named per row; the rest is one click away. */
const CHECKS_MAX = 3;

/** Findings for a thousand operations, where there are enough operations to say it of. */
function rateOf(row: ScorecardRowView): number | null {
  return row.operations < SAMPLE_MIN ? null : row.perThousand;
}

function valueOf(row: ScorecardRowView, column: string): SortValue {
  const severity = SEVERITIES.find((one) => one === column);
  if (severity) return row.findings[severity];
  switch (column) {
    case 'key':
      return row.key;
    case 'operations':
      return row.operations;
    default:
      return rateOf(row);
  }
}

interface ScorecardRowsProps {
  slug: string;
  scope: Scope;
  asked: FindingParams;
  rows: ScorecardRowView[];
}

export function ScorecardRows(props: ScorecardRowsProps) {
  const { slug, scope, asked, rows } = props;
  const t = useTranslations('findings.scorecard');
  const order = parseSort(asked.scoreSort, SORTABLE, { column: 'rate', descending: true });
  const path = sectionPath(slug, 'findings');
  const { sort: _sort, scoreSort: _scoreSort, ...kept } = asked;
  return (
    <>
      <DataTable
        caption={t('caption', { group: t(asked.by) })}
        rows={sortRows(rows, order, valueOf)}
        rowKey={(row) => row.key}
        rowHref={(row) => path + writeScope(scope, { [asked.by]: [row.key], extra: writeFindingParams(kept) })}
        sort={order}
        sortHref={(scoreSort) => path + writeScope(scope, { extra: writeFindingParams({ ...asked, scoreSort }) })}
        columns={useColumns(props)}
      />
      <p className={classes.quiet}>{t('hint')}</p>
    </>
  );
}

function useColumns({ slug, scope, asked }: ScorecardRowsProps): Column<ScorecardRowView>[] {
  const t = useTranslations('findings.scorecard');
  const common = useTranslations('common');
  const locale = useLocale();
  return [
    {
      id: 'key',
      header: t(asked.by),
      sortable: true,
      minWidth: '10rem',
      cell: (row) => (row.key === '' ? common('notSet') : <span className="mono">{row.key}</span>),
    },
    {
      id: 'rate',
      header: t('perThousand'),
      numeric: true,
      sortable: true,
      cell: (row) => <Rate row={row} />,
    },
    {
      id: 'operations',
      header: t('operations'),
      numeric: true,
      sortable: true,
      cell: (row) => (
        <>
          {formatCount(row.operations, locale)}
          <small className={classes.under}>{t('sends', { count: row.attempts })}</small>
        </>
      ),
    },
    ...useSeverityColumns<ScorecardRowView>((row) => row.findings),
    {
      id: 'checks',
      header: t('checks'),
      minWidth: '13rem',
      cell: (row) => (
        <TopChecks
          byCheck={row.byCheck}
          href={(check) =>
            findingPath(slug, check) +
            writeScope(scope, { [asked.by]: [row.key], extra: writeFindingParams({ severity: asked.severity }) })
          }
        />
      ),
    },
  ];
}

function Rate({ row }: { row: ScorecardRowView }) {
  const t = useTranslations('findings.scorecard');
  const locale = useLocale();
  if (row.operations === 0) return NO_VALUE;
  const rate = rateOf(row);
  if (rate !== null) return formatNumber(rate, locale, 1);
  return (
    <span className={classes.none} title={t('notEnoughTip', { count: row.operations, min: SAMPLE_MIN })}>
      {t('notEnough')}
    </span>
  );
}

function TopChecks({ byCheck, href }: { byCheck: Readonly<Record<string, number>>; href: (check: string) => string }) {
  const words = useCheckWords();
  const t = useTranslations('findings.scorecard');
  const locale = useLocale();
  const found = Object.entries(byCheck).sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  if (found.length === 0) return null;
  return (
    <ul className={classes.top}>
      {found.slice(0, CHECKS_MAX).map(([check, count]) => (
        <li key={check}>
          <Link href={href(check)} prefetch={false}>
            {words(check)}
          </Link>{' '}
          {formatCount(count, locale)}
        </li>
      ))}
      {found.length > CHECKS_MAX ? <li>{t('more', { count: found.length - CHECKS_MAX })}</li> : null}
    </ul>
  );
}
