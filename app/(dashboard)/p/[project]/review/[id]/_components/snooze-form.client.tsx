'use client';

import { Button, TextInput } from '@mantine/core';
import { useTimeZone, useTranslations } from 'next-intl';
import { useState, type FormEvent, type Ref } from 'react';
import { fromFieldText, toFieldText } from '@/lib/present/wall-time';
import type { ReviewWork } from './use-review-work.client';
import classes from './item.module.css';

interface SnoozeFormProps {
  work: ReviewWork;
  /** Longest time ahead. */
  snoozeMs: number;
  now: number;
  untilRef: Ref<HTMLInputElement>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const QUICK_HOURS = [1, 4];
const QUICK_DAYS = [1, 3, 7];

/** Puts the item off until a date; never for ever. */
export function SnoozeForm({ work, snoozeMs, now, untilRef }: SnoozeFormProps) {
  const t = useTranslations('review.form');
  const tz = useTimeZone() ?? 'UTC';
  const [bad, setBad] = useState(false);
  const { snoozeUntil, snoozeNote } = work.draft;
  const days = Math.floor(snoozeMs / DAY_MS);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const until = fromFieldText(snoozeUntil, tz);
    const fits = until !== null && until > now && until <= now + snoozeMs;
    setBad(!fits);
    if (!fits) return;
    const note = snoozeNote.trim() === '' ? {} : { note: snoozeNote.trim() };
    void work.ask('snooze', { until, ...note });
  };
  const quick = (aheadMs: number, words: string) => (
    <Button
      key={aheadMs}
      size="compact-xs"
      variant="default"
      onClick={() => work.change({ snoozeUntil: toFieldText(now + aheadMs, tz) })}
    >
      {words}
    </Button>
  );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.buttons} role="group" aria-label={t('snoozeQuick')}>
        {QUICK_HOURS.map((count) => quick(count * HOUR_MS, t('inHours', { count })))}
        {QUICK_DAYS.filter((count) => count * DAY_MS <= snoozeMs).map((count) =>
          quick(count * DAY_MS, t('inDays', { count })),
        )}
      </div>
      <TextInput
        ref={untilRef}
        type="datetime-local"
        size="xs"
        label={t('snoozeUntil')}
        description={t('snoozeHint', { zone: tz, days })}
        min={toFieldText(now, tz)}
        max={toFieldText(now + snoozeMs, tz)}
        value={snoozeUntil}
        onChange={(event) => {
          setBad(false);
          work.change({ snoozeUntil: event.currentTarget.value });
        }}
        error={bad ? t('snoozeBad', { days }) : null}
      />
      <TextInput
        size="xs"
        label={t('snoozeNote')}
        maxLength={4_000}
        value={snoozeNote}
        onChange={(event) => work.change({ snoozeNote: event.currentTarget.value })}
      />
      <div className={classes.buttons}>
        <Button type="submit" size="xs" variant="default" loading={work.busy === 'snooze'}>
          {t('snooze')}
        </Button>
      </div>
    </form>
  );
}
