'use client';

import { Button, TextInput } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { formatAge } from '@/lib/present/duration';
import type { ReviewItemView } from '@/lib/queries/views';
import type { Lease } from './use-lease.client';
import type { ReviewWork } from './use-review-work.client';
import classes from './item.module.css';

interface ClaimBarProps {
  work: ReviewWork;
  item: ReviewItemView;
  lease: Lease;
  /** Somebody else holds it: their name and how long still. */
  other: { name: string; leftMs: number } | null;
  mayTakeOver: boolean;
  now: number;
}

function TakeOver({ work }: { work: ReviewWork }) {
  const t = useTranslations('review.claim');
  const { claimNote } = work.draft;
  return (
    <div className={classes.form}>
      <TextInput
        size="xs"
        label={t('takeOverReason')}
        description={t('takeOverHint')}
        maxLength={4_000}
        value={claimNote}
        onChange={(event) => work.change({ claimNote: event.currentTarget.value })}
      />
      <div className={classes.buttons}>
        <Button
          size="xs"
          variant="default"
          disabled={claimNote.trim() === ''}
          loading={work.busy === 'claim'}
          onClick={() => void work.ask('claim', { note: claimNote.trim() })}
        >
          {t('takeOver')}
        </Button>
      </div>
    </div>
  );
}

/** Who holds the item; claim, release, take over. */
export function ClaimBar({ work, item, lease, other, mayTakeOver, now }: ClaimBarProps) {
  const t = useTranslations('review.claim');
  const locale = useLocale();
  if (item.state === 'resolved') return null;
  if (other)
    return (
      <div className={classes.form}>
        <p className={classes.say}>{t('other', { name: other.name, left: formatAge(other.leftMs, locale) })}</p>
        {mayTakeOver ? <TakeOver work={work} /> : null}
      </div>
    );
  if (lease.until === null)
    return (
      <div className={classes.form}>
        <p className={classes.say}>{t('free')}</p>
        <div className={classes.buttons}>
          <Button size="xs" loading={work.busy === 'claim'} onClick={() => void work.ask('claim', {})}>
            {t('claim')}
          </Button>
        </div>
      </div>
    );
  return (
    <div className={classes.form}>
      <p className={classes.say}>
        {lease.failed ? t('renewFailed') : t('yours', { left: formatAge(lease.until - now, locale) })}
      </p>
      <div className={classes.buttons}>
        <Button
          size="xs"
          variant="default"
          loading={work.busy === 'release'}
          onClick={() => void work.ask('release', {})}
        >
          {t('release')}
        </Button>
      </div>
    </div>
  );
}
