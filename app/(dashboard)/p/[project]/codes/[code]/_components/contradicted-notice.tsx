import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { ContradictedBadge } from '@/app/_components/badge/contradicted-badge';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { formatInstantFull, toIso } from '@/lib/present/instant';
import { formatCount } from '@/lib/present/number';
import { operationPath, rulePath } from '@/lib/present/routes';
import type { Scope } from '@/lib/present/scope';
import type { ContradictionView } from '@/lib/queries/contradictions';
import classes from '../../codes.module.css';

/** Operations that prove more than the rule allows, and what to do about it. */
export async function ContradictedNotice({
  page,
  scope,
  found,
}: {
  page: PageContext;
  scope: Scope;
  found: Promise<ContradictionView[]>;
}) {
  const [t, rows] = await Promise.all([getTranslations('codes.contradicted'), found]);
  const [first] = rows;
  if (!first) return null;
  return (
    <div className={classes.contradicted} role="note">
      <p>
        <ContradictedBadge /> <strong>{t('what', { code: first.code, count: rows.length })}</strong>
      </p>
      <p>
        {t('now')}{' '}
        <Link href={rulePath(page.project.slug, first.ruleSet, first.rule)} prefetch={false}>
          {t('rule', { rule: first.rule, ruleSet: first.ruleSet })}
        </Link>
      </p>
      <DataTable
        caption={t('caption', { code: first.code })}
        rows={rows}
        rowKey={(row) => row.operationId}
        rowHref={(row) => operationPath(page.project.slug, row.operationId)}
        columns={await prepareColumns(page, scope.range.tz)}
      />
    </div>
  );
}

/** Beside the title, so that nobody has to scroll to see it. Its panel tells when it can't be read. */
export async function ContradictedMark({ found }: { found: Promise<ContradictionView[]> }) {
  const rows = await found.catch(() => []);
  return rows.length > 0 ? <ContradictedBadge /> : null;
}

async function prepareColumns({ locale }: PageContext, tz: string): Promise<Column<ContradictionView>[]> {
  const t = await getTranslations('codes.contradicted');
  return [
    {
      id: 'operation',
      header: t('operation'),
      minWidth: '10rem',
      cell: (row) => <CodeText plain value={row.operationId} />,
    },
    { id: 'service', header: t('service'), minWidth: '7rem', cell: (row) => row.service },
    { id: 'call', header: t('call'), minWidth: '9rem', cell: (row) => <CodeText plain value={row.call} /> },
    { id: 'send', header: t('send'), numeric: true, cell: (row) => formatCount(row.attempt, locale) },
    { id: 'evidence', header: t('evidence'), minWidth: '9rem', cell: (row) => t(`by.${row.evidence}`) },
    { id: 'proven', header: t('proven'), numeric: true, cell: (row) => formatCount(row.proven, locale) },
    { id: 'explained', header: t('explained'), numeric: true, cell: (row) => formatCount(row.explained, locale) },
    {
      id: 'at',
      header: t('at'),
      numeric: true,
      cell: (row) => <time dateTime={toIso(row.at)}>{formatInstantFull(row.at, { locale, tz })}</time>,
    },
  ];
}
