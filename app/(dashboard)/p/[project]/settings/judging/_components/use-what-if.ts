import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { SettingsChange } from '@/lib/core/settings-change';
import { startPreview, type JobWire, type Refusal } from './settings-api';
import { useJob, type JobWatch } from './use-job';

/** How far back a preview looks; `all` is everything stored. */
export const WHAT_IF_RANGES = ['24h', '7d', '30d', 'all'] as const;
export type WhatIfRange = (typeof WHAT_IF_RANGES)[number];

const LENGTH_MS: Readonly<Record<Exclude<WhatIfRange, 'all'>, number>> = {
  '24h': 86_400_000,
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
};

export interface WhatIf extends JobWatch {
  range: WhatIfRange;
  setRange: (range: WhatIfRange) => void;
  starting: boolean;
  start: () => Promise<void>;
  /** Why it did not start, in words. */
  refused: string | null;
  /** Somebody else's job that is in the way; it is the one followed then. */
  foreign: JobWire | null;
}

/** One preview of a change, from the wish to its result. */
export function useWhatIf(slug: string, change: SettingsChange): WhatIf {
  const t = useTranslations('settings.whatIf');
  const answers = useTranslations('settings.judging.answer');
  const watched = useJob(slug, null);
  const [range, setRange] = useState<WhatIfRange>('7d');
  const [starting, setStarting] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [foreign, setForeign] = useState<JobWire | null>(null);
  const wordsOf = (refusal: Refusal): string => {
    if (refusal.kind === 'invalid') return t('notStarted', { detail: refusal.detail });
    if (refusal.kind === 'busy') return answers('busy', { seconds: refusal.seconds });
    return refusal.kind === 'running' ? t('notStarted', { detail: '' }) : answers(refusal.kind);
  };
  const start = async (): Promise<void> => {
    setStarting(true);
    const from = range === 'all' ? null : new Date(Date.now() - LENGTH_MS[range]).toISOString();
    const answer = await startPreview(slug, change, from);
    setStarting(false);
    const other = answer.kind === 'running' ? answer.job : null;
    setForeign(other);
    setRefused(answer.kind === 'done' || other ? null : wordsOf(answer));
    watched.watch(answer.kind === 'done' ? answer.value : other);
  };
  return { ...watched, range, setRange, starting, start, refused, foreign: watched.going ? foreign : null };
}
