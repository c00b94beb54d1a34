'use client';

import { Alert, Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { ReviewHistory } from '@/app/_components/review/review-history';
import { useAnswerText } from '../../_components/use-answer-text.client';
import type { ReviewWork } from './use-review-work.client';
import classes from './item.module.css';

/** What the last save met, and what others did to the item meanwhile. */
export function AnswerNotice({ work }: { work: ReviewWork }) {
  const t = useTranslations('review');
  const say = useAnswerText();
  const { answer, changed, news } = work;
  const stale = answer?.kind === 'stale';
  const failed = answer !== null && answer.kind !== 'done' && !stale;
  return (
    <div>
      {stale || changed ? (
        <Alert color="orange" variant="light" mb="sm" title={stale ? t('stale.title') : undefined}>
          <p className={classes.say}>{stale ? t('stale.body') : t('stale.silent')}</p>
          {news.length > 0 ? (
            <>
              <p className={classes.say}>{t('stale.changes')}:</p>
              <ReviewHistory events={news} />
            </>
          ) : null}
          <Button size="compact-sm" variant="default" mt="xs" onClick={work.acknowledge}>
            {t('stale.seen')}
          </Button>
        </Alert>
      ) : null}
      {failed ? (
        <Alert color="red" variant="light" mb="sm" title={t('error.title')}>
          {say(answer)}
        </Alert>
      ) : null}
    </div>
  );
}
