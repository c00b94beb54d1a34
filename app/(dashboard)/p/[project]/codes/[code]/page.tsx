import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { Suspense } from 'react';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import { ScopeNote } from '@/app/_components/filters/scope-note';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { requirePage } from '@/lib/auth/context';
import { sectionPath } from '@/lib/present/routes';
import { FILTER_FIELDS, readScope, writeScope, type RawParams } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { getCode, listCodes } from '@/lib/queries/codes';
import { listContradictions } from '@/lib/queries/contradictions';
import classes from '../codes.module.css';
import { CodeChart } from './_components/code-chart';
import { CodeEndings } from './_components/code-endings';
import { CodeFigures } from './_components/code-figures';
import { CodeGroups } from './_components/code-groups';
import { CodeOperations } from './_components/code-operations';
import { CodeRules } from './_components/code-rules';
import { ContradictedMark, ContradictedNotice } from './_components/contradicted-notice';

interface PageProps {
  params: Promise<{ project: string; code: string }>;
  searchParams: Promise<RawParams>;
}

/** Next hands path parts over encoded; a stray per cent sign is part of the code itself. */
function readCode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: readCode((await params).code) };
}

/** The page itself says which code, so it is no filter of its own here. */
const FIELDS = FILTER_FIELDS.filter((field) => field !== 'code' && field !== 'action');

/** What this code is, whether it rises, who gets it, and what may be done about it. */
export default async function CodePage({ params, searchParams }: PageProps) {
  const { project: slug, code: part } = await params;
  const code = readCode(part);
  const page = await requirePage(slug, 'read');
  const [raw, t, choices] = await Promise.all([searchParams, getTranslations('codes'), listFilterChoices(page)]);
  const scope = readScope({ ...raw, code: undefined, action: undefined }, { now: page.now, tz: page.tz });
  const detail = getCode(page, code, scope.range, scope.filters);
  const rows = listCodes(page, scope.range, { ...scope.filters, code: [code] });
  const contradictions = listContradictions(page, scope.range, scope.filters, code);
  // Each panel reports its own failure; without this a promise nobody waits for yet would end the process.
  for (const promise of [detail, rows, contradictions]) promise.catch(() => undefined);
  const note = <ScopeNote scope={scope} now={page.now} />;
  const shared = { page, scope, code };
  return (
    <>
      <PageHead title={<CodeText value={code} />}>
        <Suspense fallback={null}>
          <ContradictedMark found={contradictions} />
        </Suspense>
        <Link href={sectionPath(slug, 'codes') + writeScope(scope)}>{t('one.all')}</Link>
      </PageHead>
      <ScopeBar scope={scope} now={page.now} choices={choices} fields={FIELDS} />
      <Panel title={t('one.figures')} aside={note}>
        <CodeFigures {...shared} detail={detail} rows={rows} />
      </Panel>
      <Panel title={t('one.rule')}>
        <ContradictedNotice page={page} scope={scope} found={contradictions} />
        <CodeRules {...shared} detail={detail} rows={rows} />
      </Panel>
      <Panel title={t('one.chart')} aside={note}>
        <CodeChart {...shared} />
      </Panel>
      <Panel title={t('one.endings')} aside={note}>
        <CodeEndings {...shared} />
      </Panel>
      <Panel title={t('one.groups')} aside={note}>
        <CodeGroups {...shared} detail={detail} />
      </Panel>
      <Panel title={t('one.recent')} aside={note}>
        <CodeOperations {...shared} detail={detail} empty={<PanelEmpty />} />
      </Panel>
      <p className={classes.quiet}>{t('one.hint')}</p>
    </>
  );
}
