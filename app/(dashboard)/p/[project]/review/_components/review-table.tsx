import { useLocale, useTranslations } from 'next-intl';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { chooseColumns, listChoosable } from '@/app/_components/table/chosen-columns';
import { ColumnsMenu } from '@/app/_components/table/columns-menu.client';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { formatAge } from '@/lib/present/duration';
import { formatInstant } from '@/lib/present/instant';
import { formatMoney } from '@/lib/present/number';
import { reviewItemPath } from '@/lib/present/routes';
import type { ReviewTab } from '@/lib/present/review-tab';
import type { ReviewRowView } from '@/lib/queries/views';
import { ClaimButton } from './claim-button.client';
import { DueText } from './due-text';
import { HolderText } from './holder-text';
import classes from './review.module.css';

interface ReviewTableProps {
  slug: string;
  tab: ReviewTab;
  rows: ReviewRowView[];
  actorId: string;
  mayWork: boolean;
  now: number;
  tz: string;
  /** Columns the viewer left out. */
  hidden: readonly string[];
}

type ReviewColumn = Column<ReviewRowView>;

function useWhatColumns(): ReviewColumn[] {
  const t = useTranslations('review');
  return [
    {
      id: 'operation',
      header: t('column.operation'),
      minWidth: '11rem',
      cell: (row) => <CodeText value={row.operationId} plain />,
    },
    {
      id: 'code',
      header: t('column.code'),
      minWidth: '10rem',
      cell: (row) => (
        <div className={classes.stack}>
          <CodeText value={row.code} plain />
          <span className={classes.quiet}>{t(`cause.${row.cause}`)}</span>
        </div>
      ),
    },
    {
      id: 'call',
      header: t('column.call'),
      minWidth: '9rem',
      cell: (row) => (
        <div className={classes.stack}>
          <span>{row.service}</span>
          <CodeText value={row.call} plain />
        </div>
      ),
    },
  ];
}

function useUrgencyColumns({ now, tz }: ReviewTableProps): ReviewColumn[] {
  const t = useTranslations('review');
  const locale = useLocale();
  return [
    {
      id: 'due',
      header: t('column.due'),
      cell: (row) => (
        <div className={classes.stack}>
          <DueText item={row} now={now} tz={tz} />
          <span className={classes.quiet}>{t('due.age', { age: formatAge(row.ageMs, locale) })}</span>
        </div>
      ),
    },
    {
      id: 'amount',
      header: t('column.amount'),
      numeric: true,
      cell: (row) => (row.amount ? formatMoney(row.amount, locale) : null),
    },
  ];
}

function useWorkColumns({ slug, tab, actorId, mayWork, now, tz }: ReviewTableProps): ReviewColumn[] {
  const t = useTranslations('review');
  const locale = useLocale();
  const suggestion: ReviewColumn = {
    id: 'suggestion',
    header: t('column.suggestion'),
    cell: (row) => (row.suggestion ? t(`resolution.${row.suggestion.resolution}`) : null),
  };
  if (tab === 'resolved') {
    const outcome: ReviewColumn = {
      id: 'resolution',
      header: t('column.resolution'),
      cell: (row) => (
        <div className={classes.stack}>
          <span>{row.resolution ? t(`resolution.${row.resolution}`) : null}</span>
          <span className={classes.quiet}>
            {row.resolvedBy} {row.resolvedAt === null ? null : formatInstant(row.resolvedAt, { locale, tz }, now)}
          </span>
        </div>
      ),
    };
    return [outcome];
  }
  const mayClaim = mayWork && tab !== 'claimed';
  const holder: ReviewColumn = {
    id: 'holder',
    header: t('column.holder'),
    cell: (row) =>
      mayClaim && !row.assignee ? (
        <ClaimButton slug={slug} id={row.id} version={row.version} operationId={row.operationId} />
      ) : (
        <HolderText item={row} actorId={actorId} now={now} />
      ),
  };
  const state: ReviewColumn = { id: 'state', header: t('column.state'), cell: (row) => t(`state.${row.state}`) };
  return [suggestion, ...(tab === 'mine' ? [state] : []), holder];
}

export function ReviewTable(props: ReviewTableProps) {
  const t = useTranslations('review');
  const columns = [...useWhatColumns(), ...useUrgencyColumns(props), ...useWorkColumns(props)];
  return (
    <>
      <ColumnsMenu table="review" columns={listChoosable(columns)} hidden={props.hidden} />
      <DataTable
        caption={`${t('list.caption')}: ${t(`tab.${props.tab}`)}`}
        rows={props.rows}
        columns={chooseColumns(columns, props.hidden)}
        rowKey={(row) => row.id}
        rowHref={(row) => reviewItemPath(props.slug, row.id)}
      />
    </>
  );
}
