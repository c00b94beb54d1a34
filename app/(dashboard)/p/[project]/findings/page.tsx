import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import { ScopeNote } from '@/app/_components/filters/scope-note';
import listClasses from '@/app/_components/list/list.module.css';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { requirePage } from '@/lib/auth/context';
import { readScope, type RawParams } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { CheckTable } from './_components/check-table';
import { FindingFilters } from './_components/finding-filters.client';
import { GroupTabs } from './_components/group-tabs';
import { ScorecardTable } from './_components/scorecard-table';
import { readFindingParams, withProblems } from './search-params';

interface PageProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<RawParams>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('findings');
  return { title: t('title') };
}

/** Which clients retry wrongly: every check that found something, and how services and SDK versions compare. */
export default async function FindingsPage({ params, searchParams }: PageProps) {
  const { project: slug } = await params;
  const page = await requirePage(slug, 'read');
  const [raw, t, choices] = await Promise.all([searchParams, getTranslations('findings'), listFilterChoices(page)]);
  const scope = readScope(raw, { now: page.now, tz: page.tz });
  const asked = readFindingParams(raw);
  const note = <ScopeNote scope={scope} now={page.now} more={asked.check.length + asked.severity.length} />;
  const shared = { page, scope, asked };
  return (
    <>
      <PageHead title={t('title')} />
      <p className={listClasses.note}>{t('intro')}</p>
      <ScopeBar scope={withProblems(scope, asked)} now={page.now} choices={choices} />
      <FindingFilters check={asked.check} severity={asked.severity} />
      <Panel title={t('checks.title')} aside={note}>
        <CheckTable {...shared} />
      </Panel>
      <Panel title={t('scorecard.title')} aside={note}>
        <GroupTabs slug={slug} scope={scope} asked={asked} />
        <ScorecardTable {...shared} />
      </Panel>
    </>
  );
}
