'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { askReview, type ReviewAnswer } from './review-api';
import { useAnswerText } from './use-answer-text.client';
import classes from './review.module.css';

interface ClaimButtonProps {
  slug: string;
  id: string;
  version: number;
  operationId: string;
}

/** Claims a row without leaving the list; a refusal is said in the row. */
export function ClaimButton({ slug, id, version, operationId }: ClaimButtonProps) {
  const t = useTranslations('review.list');
  const router = useRouter();
  const say = useAnswerText();
  const [failure, setFailure] = useState<ReviewAnswer | null>(null);
  const [asking, setAsking] = useState(false);
  const [refreshing, startTransition] = useTransition();
  const claim = async (): Promise<void> => {
    setAsking(true);
    const answer = await askReview(slug, id, 'claim', { version });
    setAsking(false);
    setFailure(answer.kind === 'done' ? null : answer);
    if (answer.kind !== 'offline') startTransition(() => router.refresh());
  };
  return (
    <div>
      <Button
        size="compact-xs"
        variant="default"
        loading={asking || refreshing}
        aria-label={t('claimOf', { operation: operationId })}
        onClick={() => void claim()}
      >
        {t('claim')}
      </Button>
      <div role="status" className={classes.claimError}>
        {failure ? say(failure) : null}
      </div>
    </div>
  );
}
