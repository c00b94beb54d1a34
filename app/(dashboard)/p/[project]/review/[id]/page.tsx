import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { PageHead } from '@/app/_components/list/page-head';
import { Section } from '@/app/_components/operation/section';
import { SupportCopy } from '@/app/_components/operation/support-copy';
import { ReviewHistory } from '@/app/_components/review/review-history';
import { Timeline } from '@/app/_components/timeline/timeline';
import { requirePage } from '@/lib/auth/context';
import { may } from '@/lib/core/permission';
import { digestOperation } from '@/lib/present/operation-facts';
import { operationPath, sectionPath } from '@/lib/present/routes';
import { prepareTimeline } from '@/lib/present/timeline-model';
import { getOperation } from '@/lib/queries/operation';
import { getReviewItem } from '@/lib/queries/review';
import { ItemSummary } from './_components/item-summary';
import classes from './_components/item.module.css';
import { ReadBackHelp } from './_components/read-back-help';
import { SuggestionBox } from './_components/suggestion-box';
import { Workbench } from './_components/workbench.client';

interface Props {
  params: Promise<{ project: string; id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('review');
  return { title: t('title') };
}

export default async function ReviewItemPage({ params }: Props) {
  const { project: slug, id } = await params;
  const page = await requirePage(slug, 'read');
  const [item, t] = await Promise.all([getReviewItem(page, id), getTranslations('review')]);
  if (!item) notFound();
  const story = await getOperation(page, item.operationId);
  const call = story?.call ?? item.call;
  const sends = story?.sends ?? [];
  const facts = story?.facts ?? [];
  const timeline = prepareTimeline({ sends, pairs: story?.pairs ?? [], facts });
  const { settings } = page.project;
  return (
    <>
      <PageHead title={<CodeText value={item.operationId} />}>
        {story ? <SupportCopy story={story} /> : null}
        <Link href={sectionPath(slug, 'review')}>{t('item.back')}</Link>
      </PageHead>
      <div className={classes.layout}>
        <div>
          <ItemSummary slug={slug} item={item} call={call} now={page.now} tz={page.tz} />
          <p className={classes.jump}>
            <a href="#decide">{t('item.whatIsTrue')} ↓</a>
          </p>
          <Section title={t('item.whatHappened')}>
            {story ? (
              <Timeline
                model={timeline}
                sendHref={(eventId) => `${operationPath(slug, item.operationId)}#send-${eventId}`}
              />
            ) : (
              <p className={classes.quiet}>{t('item.storyGone')}</p>
            )}
          </Section>
          <Section title={t('column.suggestion')}>
            <SuggestionBox suggestion={item.suggestion} timeline={timeline} />
          </Section>
          <Section title={t('item.readBack')}>
            <ReadBackHelp
              call={call}
              target={story?.target ?? ''}
              digest={digestOperation(
                sends.map((send) => send.attempt),
                facts,
              )}
              possibleEffects={story?.possibleEffects ?? 0}
              sentFrom={Math.min(story?.firstAt ?? item.doubtSince, item.doubtSince)}
              settledFrom={item.doubtUntil + settings.readBackSettleMs}
            />
          </Section>
          <Section title={t('item.history')}>
            <ReviewHistory events={item.history} />
          </Section>
        </div>
        <Workbench
          slug={slug}
          item={item}
          readBacks={facts.filter((fact) => fact.type === 'readback')}
          actorId={page.actor.id}
          mayWork={may(page.role, 'review.work')}
          mayTakeOver={may(page.role, 'review.release_other')}
          now={page.now}
          leaseMs={settings.claimLeaseMs}
          snoozeMs={settings.snoozeMaxMs}
        />
      </div>
    </>
  );
}
