import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { StateBadge } from '@/app/_components/badge/state-badge';
import { ExactTime } from '@/app/_components/operation/exact-time';
import classes from '@/app/_components/operation/operation.module.css';
import { reviewItemPath } from '@/lib/present/routes';
import type { OperationStoryView } from '@/lib/queries/views';

/** What is true of the operation now: its state in words and its latest send. */
export function OperationSummary({ slug, story }: { slug: string; story: OperationStoryView }) {
  const t = useTranslations('operations');
  const latest = story.sends.at(-1);
  return (
    <div className={classes.summary}>
      <p className={classes.summaryLine}>
        <StateBadge state={story.state} />
        <span>{t(`stateMeaning.${story.state}`)}</span>
      </p>
      {latest ? (
        <p className={classes.summaryLine}>
          <span>
            {t('one.latest')}: {t('attempt.title', { attempt: latest.attempt.attempt })}
          </span>
          <CodeText value={latest.verdict.code} />
          <ActionBadge action={latest.verdict.action} />
          <ExactTime at={latest.attempt.startedAt} />
        </p>
      ) : null}
      <p>
        {story.kind === 'write' ? `${t('one.effectsText', { count: story.possibleEffects })}. ` : null}
        {story.over ? t('one.over') : t('one.notOver')}
      </p>
      {story.reviewId ? (
        <p>
          {t('one.inReviewText')} <Link href={reviewItemPath(slug, story.reviewId)}>{t('one.inReview')}</Link>
        </p>
      ) : null}
    </div>
  );
}
