import { getTranslations } from 'next-intl/server';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import type { Scope } from '@/lib/present/scope';
import { listScorecard } from '@/lib/queries/finding-counts';
import type { FindingParams } from '../search-params';
import { ScorecardRows } from './scorecard-rows';

interface ScorecardTableProps {
  page: PageContext;
  scope: Scope;
  asked: FindingParams;
}

/** How services, or SDK versions, compare: findings beside the work they did. */
export async function ScorecardTable({ page, scope, asked }: ScorecardTableProps) {
  const [t, rows] = await Promise.all([
    getTranslations('findings.scorecard'),
    listScorecard(page, scope.range, scope.filters, asked.by, asked),
  ]);
  if (rows.length === 0) return <PanelEmpty>{t('nothing')}</PanelEmpty>;
  return <ScorecardRows slug={page.project.slug} scope={scope} asked={asked} rows={rows} />;
}
