import { Text } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageHead } from '@/app/_components/list/page-head';
import { Panel } from '@/app/_components/panel/panel';
import { requirePage } from '@/lib/auth/context';
import { may } from '@/lib/core/permission';
import { formatInstant } from '@/lib/present/instant';
import { getProjectSettings } from '@/lib/queries/project-settings';
import { listRecomputeJobs } from '@/lib/queries/recompute';
import type { RecomputeJobView } from '@/lib/queries/views';
import { JudgingForm } from './_components/judging-form.client';
import { RecomputePanel } from './_components/recompute-panel.client';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings.judging'))('title') };
}

/** Jobs that are looked through for the last recomputation. */
const JOBS_LOOKED_AT = 20;

function isPreviewUnderWay({ mode, state }: RecomputeJobView): boolean {
  return mode === 'preview' && (state === 'queued' || state === 'running');
}

/** How the project judges: everybody sees it, a lead changes it, tries a change out, and has stored events judged again. */
export default async function JudgingPage({ params }: { params: Promise<{ project: string }> }) {
  const page = await requirePage((await params).project, 'read');
  const [t, recompute, view, jobs] = await Promise.all([
    getTranslations('settings.judging'),
    getTranslations('settings.recompute'),
    getProjectSettings(page),
    listRecomputeJobs(page, { limit: JOBS_LOOKED_AT }),
  ]);
  const { slug } = page.project;
  const manages = may(page.role, 'rules.manage');
  const { changedAt, changedBy } = view;
  return (
    <>
      <PageHead title={t('title')} />
      <Text size="sm" c="dimmed" maw="75ch" mb="sm">
        {t('intro')} {manages ? null : t('readOnly')}{' '}
        {changedAt === null
          ? t('never')
          : t('changedBy', { name: changedBy ?? '', time: formatInstant(changedAt, page, page.now) })}
      </Text>
      <Panel title={recompute('title')}>
        <RecomputePanel
          slug={slug}
          manages={manages}
          tz={page.tz}
          now={page.now}
          last={jobs.items.find((job) => job.mode === 'apply') ?? null}
          preview={jobs.items.find(isPreviewUnderWay) ?? null}
        />
      </Panel>
      <JudgingForm slug={slug} manages={manages} view={view} />
    </>
  );
}
