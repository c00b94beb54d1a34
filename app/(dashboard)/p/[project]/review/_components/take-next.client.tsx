'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { reviewItemPath } from '@/lib/present/routes';
import { takeNext, type ReviewAnswer } from './review-api';
import { useAnswerText } from './use-answer-text.client';
import classes from './review.module.css';

export interface TakeNext {
  asking: boolean;
  /** null until something is to be said. */
  said: { bad: boolean; text: string } | null;
  take: () => Promise<void>;
}

/** Claims the next free item and opens it; says so when none is free or it failed. */
export function useTakeNext(slug: string): TakeNext {
  const t = useTranslations('review.list');
  const router = useRouter();
  const say = useAnswerText();
  const [asking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<ReviewAnswer | null>(null);
  const take = async (): Promise<void> => {
    if (asking) return;
    setAsking(true);
    const got = await takeNext(slug, {});
    if (got.kind === 'done' && got.item) return router.push(reviewItemPath(slug, got.item.id));
    setAnswer(got);
    setAsking(false);
  };
  const none = answer?.kind === 'done';
  return { asking, said: answer && { bad: !none, text: none ? t('noneToTake') : say(answer) }, take };
}

export function TakeNextStatus({ said }: Pick<TakeNext, 'said'>) {
  return (
    <span role="status" className={classes.toolsStatus} data-bad={said?.bad || undefined}>
      {said?.text}
    </span>
  );
}

/** @param props.autoFocus the form that had the focus is gone: go on from here. */
export function TakeNextButton({ slug, autoFocus }: { slug: string; autoFocus: boolean }) {
  const t = useTranslations('review.list');
  const { asking, said, take } = useTakeNext(slug);
  return (
    <div className={classes.tools}>
      <Button size="xs" autoFocus={autoFocus} loading={asking} onClick={() => void take()}>
        {t('takeNext')}
      </Button>
      <TakeNextStatus said={said} />
    </div>
  );
}
