import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import { ScopeNote } from '@/app/_components/filters/scope-note';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { requirePage } from '@/lib/auth/context';
import { CHECK_NAMES, type CheckName } from '@/lib/core/check-name';
import { readPagePlace } from '@/lib/present/pager';
import { sectionPath } from '@/lib/present/routes';
import { readScope, writeScope, type RawParams } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { FindingFilters } from '../_components/finding-filters.client';
import { readFindingParams, withProblems, writeFindingParams } from '../search-params';
import { AboutCheck } from './_components/about-check';
import { FindingTable } from './_components/finding-table';

interface PageProps {
  params: Promise<{ project: string; check: string }>;
  searchParams: Promise<RawParams>;
}

function findCheck(segment: string): CheckName | undefined {
  return CHECK_NAMES.find((name) => name === segment);
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const [{ check }, t] = await Promise.all([params, getTranslations('operations.check')]);
  const known = findCheck(check);
  return known ? { title: t(known) } : {};
}

/** Every finding of one check, newest first; each leads to its operation. */
export default async function CheckPage({ params, searchParams }: PageProps) {
  const { project: slug, check: segment } = await params;
  const page = await requirePage(slug, 'read');
  const check = findCheck(segment);
  if (!check) notFound();
  const [raw, t, words, choices] = await Promise.all([
    searchParams,
    getTranslations('findings.one'),
    getTranslations('operations.check'),
    listFilterChoices(page),
  ]);
  const scope = readScope(raw, { now: page.now, tz: page.tz });
  const asked = readFindingParams(raw);
  const { severity } = asked;
  return (
    <>
      <PageHead title={words(check)}>
        <Link href={sectionPath(slug, 'findings') + writeScope(scope, { extra: writeFindingParams({ severity }) })}>
          {t('all')}
        </Link>
      </PageHead>
      <Panel title={t('about')}>
        <AboutCheck page={page} check={check} />
      </Panel>
      <ScopeBar scope={withProblems(scope, asked)} now={page.now} choices={choices} />
      <FindingFilters check={null} severity={severity} />
      <Panel title={t('list')} aside={<ScopeNote scope={scope} now={page.now} more={severity.length} />}>
        <FindingTable page={page} scope={scope} check={check} severity={severity} place={readPagePlace(raw)} />
      </Panel>
    </>
  );
}
