import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { FindingText } from '@/app/_components/finding/finding-text';
import { SeverityBadge } from '@/app/_components/finding/severity-badge';
import { WindowText } from '@/app/_components/finding/window-text';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { findRuleSet } from '@/lib/core/rules/index';
import { formatInstantFull, toIso } from '@/lib/present/instant';
import { formatCount } from '@/lib/present/number';
import { operationPath, rulePath, ruleSetPath } from '@/lib/present/routes';
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
      columns={useColumns(slug, tz)}
    />
  );
}

/** The row of the edition that speaks of the code, or the whole edition where several may. */
function ruleOf(slug: string, ruleSet: string, code: string): string {
  const known = findRuleSet(ruleSet)?.rows.some((row) => row.id === code);
  return known ? rulePath(slug, ruleSet, code) : ruleSetPath(slug, ruleSet);
}

function useColumns(slug: string, tz: string): Column<FindingRowView>[] {
  const t = useTranslations('findings.one');
  const locale = useLocale();
  return [
    {
      id: 'operation',
      header: t('operation'),
      minWidth: '11rem',
      cell: (row) => (
        <>
          {row.operationId === null ? (
            <span className={classes.none}>{t('noOperation')}</span>
          ) : (
            <CodeText plain value={row.operationId} />
          )}
          <small className={classes.under}>
            <time dateTime={toIso(row.at)}>{formatInstantFull(row.at, { locale, tz })}</time>
          </small>
        </>
      ),
    },
    { id: 'severity', header: t('severity'), cell: (row) => <SeverityBadge severity={row.severity} /> },
    {
      id: 'what',
      header: t('what'),
      minWidth: '20rem',
      cell: (row) => (
        <>
          <FindingText finding={{ ...row, attempt: row.attempt ?? undefined }} />
          {row.window ? <WindowText subject={row.subject} window={row.window} tz={tz} /> : null}
        </>
      ),
    },
    {
      id: 'attempt',
      header: t('attempt'),
      numeric: true,
      cell: (row) => (row.attempt === null ? null : formatCount(row.attempt, locale)),
    },
    {
      id: 'call',
      header: t('call'),
      minWidth: '9rem',
      cell: (row) => (
        <>
          {row.service}
          <small className={classes.under}>
            <CodeText plain value={row.call} />
          </small>
        </>
      ),
    },
    {
      id: 'code',
      header: t('code'),
      minWidth: '9rem',
      cell: (row) => (
        <>
          <CodeText plain value={row.code} />
          {row.ruleSet === null ? null : (
            <small className={classes.under}>
              <Link href={ruleOf(slug, row.ruleSet, row.code)} prefetch={false}>
                {row.ruleSet}
              </Link>
            </small>
          )}
        </>
      ),
    },
  ];
}
