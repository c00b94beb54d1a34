import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { StateBadge } from '@/app/_components/badge/state-badge';
import { chooseColumns, listChoosable } from '@/app/_components/table/chosen-columns';
import { ColumnsMenu } from '@/app/_components/table/columns-menu.client';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { formatDuration } from '@/lib/present/duration';
import { formatInstantFull, toIso } from '@/lib/present/instant';
import { formatCount } from '@/lib/present/number';
import { operationPath, reviewItemPath } from '@/lib/present/routes';
import type { OperationRowView } from '@/lib/queries/views';
import classes from './operations.module.css';

interface OperationTableProps {
  slug: string;
  rows: OperationRowView[];
  tz: string;
  /** Columns the viewer left out, and a menu to choose them; without it all are shown. */
  hidden?: readonly string[];
}

function useColumns(slug: string, tz: string): Column<OperationRowView>[] {
  const t = useTranslations('operations');
  const locale = useLocale();
  return [
    {
      id: 'operation',
      header: t('column.operation'),
      minWidth: '11rem',
      cell: (row) => <CodeText value={row.operationId} plain />,
    },
    {
      id: 'state',
      header: t('column.state'),
      cell: (row) => (
        <div className={classes.stack}>
          <StateBadge state={row.state} />
          {row.reviewId ? <Link href={reviewItemPath(slug, row.reviewId)}>{t('list.inReview')}</Link> : null}
        </div>
      ),
    },
    {
      id: 'last',
      header: t('column.last'),
      minWidth: '10rem',
      cell: (row) => (
        <div className={classes.stack}>
          <CodeText value={row.code} plain />
          <ActionBadge action={row.action} />
        </div>
      ),
    },
    {
      id: 'call',
      header: t('column.serviceAndCall'),
      minWidth: '10rem',
      cell: (row) => (
        <div className={classes.stack}>
          {row.service}
          <small>
            <CodeText value={row.call} plain />
          </small>
        </div>
      ),
    },
    { id: 'attempts', header: t('column.attempts'), numeric: true, cell: (row) => formatCount(row.attempts, locale) },
    {
      id: 'effects',
      header: t('column.effects'),
      numeric: true,
      cell: (row) => formatCount(row.possibleEffects, locale),
    },
    {
      id: 'firstAt',
      header: t('column.firstAt'),
      minWidth: '8rem',
      cell: (row) => (
        <>
          <time dateTime={toIso(row.firstAt)}>{formatInstantFull(row.firstAt, { locale, tz })}</time>
          <br />
          <small>{t('list.took', { length: formatDuration(row.lastAt - row.firstAt, locale) })}</small>
        </>
      ),
    },
  ];
}

export function OperationTable({ slug, rows, tz, hidden }: OperationTableProps) {
  const t = useTranslations('operations.list');
  const columns = useColumns(slug, tz);
  return (
    <>
      {hidden ? <ColumnsMenu table="operations" columns={listChoosable(columns)} hidden={hidden} /> : null}
      <DataTable
        caption={t('caption')}
        rows={rows}
        columns={chooseColumns(columns, hidden ?? [])}
        rowKey={(row) => row.operationId}
        rowHref={(row) => operationPath(slug, row.operationId)}
      />
    </>
  );
}
