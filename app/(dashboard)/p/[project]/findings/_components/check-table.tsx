import { getTranslations } from 'next-intl/server';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import type { Scope } from '@/lib/present/scope';
import { countFindings } from '@/lib/queries/finding-counts';
import { countFilters } from '@/lib/present/scope';
import type { FindingParams } from '../search-params';
import { CheckRows } from './check-rows';

interface CheckTableProps {
  page: PageContext;
  scope: Scope;
  asked: FindingParams;
}

/** One row a check that found something. */
export async function CheckTable({ page, scope, asked }: CheckTableProps) {
  const [t, rows] = await Promise.all([
    getTranslations('findings.checks'),
    countFindings(page, scope.range, scope.filters, asked),
  ]);
  const narrowed = countFilters(scope.filters) + asked.check.length + asked.severity.length > 0;
  if (rows.length === 0) return narrowed ? <PanelEmpty /> : <PanelEmpty>{t('nothing')}</PanelEmpty>;
  return <CheckRows slug={page.project.slug} now={page.now} scope={scope} asked={asked} rows={rows} />;
}
