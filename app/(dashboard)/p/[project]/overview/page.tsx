import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import { ScopeNote } from '@/app/_components/filters/scope-note';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { requirePage } from '@/lib/auth/context';
import { readScope, type RawParams } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { hasEverReceived } from '@/lib/queries/overview';
import { CallsPanel } from './_components/calls-panel';
import { CodesPanel } from './_components/codes-panel';
import { ErrorsPanel } from './_components/errors-panel';
import { FirstEvent } from './_components/first-event';
import { ReviewPanel } from './_components/review-panel';
import { ServicesPanel } from './_components/services-panel';
import { SettlingNote } from './_components/settling-note';
import { WaitsPanel } from './_components/waits-panel';
import classes from './overview.module.css';

interface PageProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<RawParams>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('overview');
  return { title: t('title') };
}

/** Is something wrong now, and where. Every panel loads and fails on its own. */
export default async function OverviewPage({ params, searchParams }: PageProps) {
  const { project: slug } = await params;
  const page = await requirePage(slug, 'read');
  const [raw, t, everReceived] = await Promise.all([searchParams, getTranslations('overview'), hasEverReceived(page)]);
  if (!everReceived) return <FirstEvent slug={slug} />;
  const scope = readScope(raw, { now: page.now, tz: page.tz });
  const choices = await listFilterChoices(page);
  const part = { page, scope };
  const note = <ScopeNote scope={scope} now={page.now} />;
  return (
    <>
      <PageHead title={t('title')}>
        <SettlingNote page={page} />
      </PageHead>
      <ScopeBar scope={scope} now={page.now} choices={choices} />
      <div className={classes.pair}>
        <Panel title={t('calls.title')} aside={note}>
          <CallsPanel {...part} />
        </Panel>
        <div>
          <Panel title={t('review.title')} aside={<span className={classes.quiet}>{t('review.scope')}</span>}>
            <ReviewPanel {...part} />
          </Panel>
          <Panel title={t('waits.title')} aside={note}>
            <WaitsPanel {...part} />
          </Panel>
        </div>
      </div>
      <Panel title={t('errors.title')} aside={note}>
        <ErrorsPanel {...part} />
      </Panel>
      <div className={classes.pair}>
        <Panel title={t('services.title')} aside={note}>
          <ServicesPanel {...part} />
        </Panel>
        <Panel title={t('codes.title')} aside={note}>
          <CodesPanel {...part} />
        </Panel>
      </div>
    </>
  );
}
