'use client';

import { useTranslations } from 'next-intl';
import { ExactTime } from '@/app/_components/operation/exact-time';
import type { ReviewItemView } from '@/lib/queries/views';
import { TakeNextButton } from '../../_components/take-next.client';
import { TextForm } from './text-form.client';
import type { ReviewWork } from './use-review-work.client';
import classes from './item.module.css';

interface ResolvedPartProps {
  slug: string;
  work: ReviewWork;
  item: ReviewItemView;
  mayWork: boolean;
}

/** What was said to be true, by whom; the way on to the next item, and the way back. */
export function ResolvedPart({ slug, work, item, mayWork }: ResolvedPartProps) {
  const t = useTranslations('review');
  if (item.resolution === null) return null;
  return (
    <div className={classes.form}>
      <p className={classes.say}>
        <strong>
          {t('item.resolved', { resolution: t(`resolution.${item.resolution}`), name: item.resolvedBy ?? '' })}
        </strong>
      </p>
      <p className={classes.say}>{t(`resolutionMeaning.${item.resolution}`)}</p>
      {item.resolvedAt === null ? null : (
        <p className={classes.quiet}>
          {t('item.resolvedAt')}: <ExactTime at={item.resolvedAt} />
        </p>
      )}
      {item.resolutionNote === null ? null : <blockquote className={classes.quote}>{item.resolutionNote}</blockquote>}
      {mayWork ? (
        <>
          <TakeNextButton slug={slug} autoFocus={work.answer?.kind === 'done'} />
          <h3>{t('form.reopenTitle')}</h3>
          <TextForm
            label={t('form.reopenNote')}
            submit={t('form.reopen')}
            value={work.draft.reopenNote}
            busy={work.busy === 'reopen'}
            onChange={(reopenNote) => work.change({ reopenNote })}
            onSubmit={(note) => void work.ask('reopen', { note })}
          />
        </>
      ) : null}
    </div>
  );
}
