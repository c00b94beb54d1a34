import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { PageHead } from '@/app/_components/list/page-head';
import { AttemptCard, attemptAnchor } from '@/app/_components/operation/attempt-card';
import { FactList } from '@/app/_components/operation/fact-list';
import { FindingList } from '@/app/_components/operation/finding-list';
import { OperationFacts } from '@/app/_components/operation/operation-facts';
import { Section } from '@/app/_components/operation/section';
import { SupportCopy } from '@/app/_components/operation/support-copy';
import { Timeline } from '@/app/_components/timeline/timeline';
import { requirePage } from '@/lib/auth/context';
import { explainVerdict } from '@/lib/core/explain';
import { digestOperation } from '@/lib/present/operation-facts';
import { readOperationSegment } from '@/lib/present/operation-segment';
import { sectionPath } from '@/lib/present/routes';
import { prepareTimeline } from '@/lib/present/timeline-model';
import { getOperation } from '@/lib/queries/operation';
import { OperationSummary } from './_components/operation-summary';
import { OperationReviews } from './_components/operation-reviews';
import { RelatedOperations } from './_components/related-operations';

interface Props {
  params: Promise<{ project: string; operationId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { operationId } = await params;
  return { title: readOperationSegment(operationId) };
}

export default async function OperationPage({ params }: Props) {
  const { project: slug, operationId } = await params;
  const page = await requirePage(slug, 'read');
  const [story, t] = await Promise.all([
    getOperation(page, readOperationSegment(operationId)),
    getTranslations('operations'),
  ]);
  if (!story) notFound();
  const timeline = prepareTimeline(story);
  const digest = digestOperation(
    story.sends.map((send) => send.attempt),
    story.facts,
  );
  const pairs = new Map(story.pairs.map((pair) => [pair.attemptEventId, pair]));
  return (
    <>
      <PageHead title={<CodeText value={story.operationId} />}>
        <SupportCopy story={story} />
        <Link href={sectionPath(slug, 'operations')}>{t('one.back')}</Link>
      </PageHead>
      <OperationSummary slug={slug} story={story} />
      <Section title={t('one.timeline')}>
        <Timeline model={timeline} sendHref={(eventId) => `#${attemptAnchor(eventId)}`} />
      </Section>
      <Section title={t('one.facts')}>
        <OperationFacts row={story} digest={digest} />
      </Section>
      {story.findings.length > 0 ? (
        <Section title={t('one.findings')}>
          <FindingList slug={slug} tz={page.tz} findings={story.findings} />
        </Section>
      ) : null}
      <Section title={t('one.attempts')}>
        {story.sends.map((send) => (
          <AttemptCard
            key={send.attempt.id}
            slug={slug}
            {...send}
            pair={pairs.get(send.attempt.id) ?? null}
            explanation={explainVerdict(send.verdict, send.attempt, page.locale)}
          />
        ))}
      </Section>
      <Section title={t('one.otherFacts')}>
        <FactList facts={story.facts} />
      </Section>
      <OperationReviews slug={slug} reviews={story.reviews} />
      <RelatedOperations slug={slug} related={story.related} />
    </>
  );
}
