'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { Resolution } from '@/lib/core/operation';
import type { ReviewVerb } from '@/lib/core/review';
import type { ReviewEventView, ReviewItemView } from '@/lib/queries/views';
import { askReview, type ReviewAnswer } from '../../_components/review-api';

/** Everything somebody may have typed; nothing but a save, or the person, takes it away. */
export interface Draft {
  resolution: Resolution | null;
  reason: string;
  evidence: string;
  note: string;
  snoozeUntil: string;
  snoozeNote: string;
  claimNote: string;
  reopenNote: string;
}

const EMPTY: Draft = {
  resolution: null,
  reason: '',
  evidence: '',
  note: '',
  snoozeUntil: '',
  snoozeNote: '',
  claimNote: '',
  reopenNote: '',
};

/** What each verb's success takes out of the draft. */
const SAVED_FIELDS: Readonly<Record<ReviewVerb, readonly (keyof Draft)[]>> = {
  claim: ['claimNote'],
  release: [],
  note: ['note'],
  snooze: ['snoozeUntil', 'snoozeNote'],
  resolve: ['resolution', 'reason', 'evidence'],
  reopen: ['reopenNote'],
};

export interface ReviewWork {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  dirty: boolean;
  /** The verb being asked, or whose answer is being shown. */
  busy: ReviewVerb | null;
  answer: ReviewAnswer | null;
  ask: (verb: ReviewVerb, body: Readonly<Record<string, unknown>>) => Promise<ReviewAnswer>;
  /** Somebody changed the item after the version this person has seen. */
  changed: boolean;
  /** What they did. */
  news: ReviewEventView[];
  acknowledge: () => void;
  refresh: () => void;
}

/**
 * Work on one item: the draft, the version it was written against, and what others did meanwhile.
 * A save names the version its author has seen, so that nobody overwrites what they haven't looked at.
 */
export function useReviewWork(slug: string, item: ReviewItemView): ReviewWork {
  const router = useRouter();
  const [draft, setDraft] = useState(EMPTY);
  const [seen, setSeen] = useState(() => ({ version: item.version, events: item.history.map((event) => event.id) }));
  const [busy, setBusy] = useState<ReviewVerb | null>(null);
  const [answer, setAnswer] = useState<ReviewAnswer | null>(null);
  const [, startTransition] = useTransition();

  const dirty = Object.values(draft).some((value) => value !== null && value !== '');
  const acknowledge = (): void => setSeen({ version: item.version, events: item.history.map((event) => event.id) });
  // With nothing typed there is nothing to lose: what is on the screen is what was seen.
  if (!dirty && busy === null && seen.version < item.version) acknowledge();
  const changed = seen.version < item.version;
  const refresh = (): void => startTransition(() => router.refresh());

  const ask: ReviewWork['ask'] = async (verb, body) => {
    setBusy(verb);
    setAnswer(null);
    const said = await askReview(slug, item.id, verb, { version: seen.version, ...body });
    setBusy(null);
    setAnswer(said);
    if (said.kind === 'done') {
      const saved = Object.fromEntries(SAVED_FIELDS[verb].map((field) => [field, EMPTY[field]]));
      setDraft((now) => ({ ...now, ...saved }));
      if (said.item) setSeen({ version: said.item.version, events: said.item.eventIds });
    }
    if (said.kind !== 'offline' && said.kind !== 'signed_out') refresh();
    return said;
  };

  return {
    draft,
    change: (part) => setDraft((now) => ({ ...now, ...part })),
    dirty,
    busy,
    answer,
    ask,
    changed,
    news: changed ? item.history.filter((event) => !seen.events.includes(event.id)) : [],
    acknowledge: () => {
      acknowledge();
      setAnswer(null);
    },
    refresh,
  };
}
