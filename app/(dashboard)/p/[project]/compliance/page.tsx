import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import { ScopeNote } from '@/app/_components/filters/scope-note';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { requirePage } from '@/lib/auth/context';
import { chooseStep } from '@/lib/present/range';
import { readPagePlace } from '@/lib/present/pager';
import { sectionPath } from '@/lib/present/routes';
import { firstParam, readScope, writeScope, type RawParams } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { getCompliance } from '@/lib/queries/compliance';
import { AlwaysEarlyList } from './_components/always-early-list';
import { ComplianceFigures } from './_components/compliance-figures';
import { ComplianceTable } from './_components/compliance-table';
import { ComplianceTrend } from './_components/compliance-trend';
import { EarlyHistogram } from './_components/early-histogram';
import { GroupTabs } from './_components/group-tabs';
import { Tolerances } from './_components/tolerances';
import { readGroup, writeGroup } from './search-params';

interface PageProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<RawParams>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('compliance');
  return { title: t('title') };
}

/** Who does not wait as long as told, and by how much. */
export default async function CompliancePage({ params, searchParams }: PageProps) {
  const { project: slug } = await params;
  const page = await requirePage(slug, 'read');
  const [raw, t, choices] = await Promise.all([searchParams, getTranslations('compliance'), listFilterChoices(page)]);
  const read = readScope(raw, { now: page.now, tz: page.tz });
  const { groupBy, problem } = readGroup(raw);
  const scope =
    problem === null ? read : { ...read, problems: [...read.problems, { name: 'groupBy', value: problem }] };
  const view = getCompliance(page, {
    range: scope.range,
    step: chooseStep(scope.range),
    groupBy,
    filters: scope.filters,
  });
  // Each panel reports its own failure; without this a promise nobody waits for yet would end the process.
  view.catch(() => undefined);
  const sort = firstParam(raw, 'sort');
  const note = <ScopeNote scope={scope} now={page.now} />;
  const shared = { page, scope, view };
  return (
    <>
      <PageHead title={t('title')} />
      <ScopeBar scope={scope} now={page.now} choices={choices} />
      <Panel title={t('figures.title')} aside={note}>
        <ComplianceFigures {...shared} />
      </Panel>
      <Panel title={t('table.title')} aside={note}>
        <GroupTabs slug={slug} scope={scope} groupBy={groupBy} />
        <ComplianceTable {...shared} groupBy={groupBy} sort={sort} />
      </Panel>
      <Panel title={t('histogram.title')} aside={note}>
        <EarlyHistogram {...shared} />
      </Panel>
      <Panel title={t('trend.title')} aside={note}>
        <ComplianceTrend {...shared} />
      </Panel>
      <Panel title={t('always.title')} anchor="always-early" aside={note}>
        <AlwaysEarlyList
          page={page}
          scope={scope}
          place={readPagePlace(raw)}
          href={({ cursor, trail }) =>
            sectionPath(slug, 'compliance') +
            writeScope(scope, { extra: { ...writeGroup(groupBy), sort, cursor, trail } }) +
            '#always-early'
          }
        />
      </Panel>
      <Panel title={t('tolerances.title')}>
        <Tolerances page={page} />
      </Panel>
    </>
  );
}
