import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import { ScopeNote } from '@/app/_components/filters/scope-note';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { requirePage } from '@/lib/auth/context';
import { firstParam, readScope, type RawParams } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { CodeTable } from './_components/code-table';

interface PageProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<RawParams>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('codes');
  return { title: t('title') };
}

/** Every failure code: how often, rising or falling, and what its rule says. */
export default async function CodesPage({ params, searchParams }: PageProps) {
  const { project: slug } = await params;
  const page = await requirePage(slug, 'read');
  const [raw, t, choices] = await Promise.all([searchParams, getTranslations('codes'), listFilterChoices(page)]);
  const scope = readScope(raw, { now: page.now, tz: page.tz });
  return (
    <>
      <PageHead title={t('title')} />
      <ScopeBar scope={scope} now={page.now} choices={choices} />
      <Panel title={t('list.title')} aside={<ScopeNote scope={scope} now={page.now} />}>
        <CodeTable page={page} scope={scope} sort={firstParam(raw, 'sort')} />
      </Panel>
    </>
  );
}
