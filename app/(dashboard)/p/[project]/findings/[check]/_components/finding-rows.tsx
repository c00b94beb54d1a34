import { useLocale, useTranslations } from 'next-intl';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { SeverityBadge } from '@/app/_components/finding/severity-badge';
import { WindowText } from '@/app/_components/finding/window-text';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { formatInstantFull, toIso } from '@/lib/present/instant';
import { formatCount } from '@/lib/present/number';
import { operationPath } from '@/lib/present/routes';
import type { FindingRowView } from '@/lib/queries/views';
import classes from '../../findings.module.css';

interface FindingRowsProps {
  page: Pick<PageContext, 'project' | 'now'>;
  tz: string;
  rows: FindingRowView[];
}

export function FindingRows({ page, tz, rows }: FindingRowsProps) {
  const t = useTranslations('findings.one');
  const { slug } = page.project;
  return (
    <DataTable
      caption={t('caption')}
      rows={rows}
      rowKey={(row) => row.id}
      rowHref={(row) => (row.operationId === null ? null : operationPath(slug, row.operationId))}
      columns={useColumns(tz).filter((column) => column.id !== 'what' || rows.some((row) => row.window))}
    />
  );
}

function useColumns(tz: string): Column<FindingRowView>[] {
  const t = useTranslations('findings.one');
  const locale = useLocale();
  return [
    {
      id: 'operation',
      header: t('operation'),
      minWidth: '11rem',
      cell: (row) =>
        row.operationId === null ? (
          <span className={classes.none}>{t('noOperation')}</span>
        ) : (
          <CodeText plain value={row.operationId} />
        ),
    },
    { id: 'severity', header: t('severity'), cell: (row) => <SeverityBadge severity={row.severity} /> },
    {
      id: 'what',
      header: t('what'),
      minWidth: '20rem',
      cell: (row) => (row.window ? <WindowText subject={row.subject} window={row.window} tz={tz} /> : null),
    },
    {
      id: 'attempt',
      header: t('attempt'),
      numeric: true,
      cell: (row) => (row.attempt === null ? null : formatCount(row.attempt, locale)),
    },
    { id: 'service', header: t('service'), minWidth: '7rem', cell: (row) => row.service },
    { id: 'call', header: t('call'), minWidth: '9rem', cell: (row) => <CodeText plain value={row.call} /> },
    {
      id: 'code',
      header: t('code'),
      minWidth: '9rem',
      cell: (row) => <CodeText plain value={row.code} />,
    },
    {
      id: 'at',
      header: t('at'),
      numeric: true,
      cell: (row) => <time dateTime={toIso(row.at)}>{formatInstantFull(row.at, { locale, tz })}</time>,
    },
  ];
}
