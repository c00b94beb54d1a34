'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatAge } from '@/lib/present/duration';
import type { ReviewAnswer } from './review-api';

/** Says what happened, what is safe and what to do; '' for what went well. */
export function useAnswerText(): (answer: ReviewAnswer) => string {
  const t = useTranslations('review.error');
  const stale = useTranslations('review.stale');
  const locale = useLocale();
  return (answer) => {
    switch (answer.kind) {
      case 'done':
        return '';
      case 'stale':
        return stale('body');
      case 'held_by_other':
        return t('held_by_other', { name: answer.holder, left: formatAge(answer.remainingLeaseMs, locale) });
      case 'invalid':
        return t('invalid', { detail: answer.detail });
      case 'busy':
        return t('busy', { seconds: answer.seconds });
      case 'fault':
        return answer.reference === null ? t('fault') : `${t('fault')} ${t('reference', { id: answer.reference })}`;
      default:
        return t(answer.kind);
    }
  };
}
