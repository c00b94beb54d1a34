import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState, useTransition } from 'react';
import { isReaderBusy } from './busy';

/** Often enough to feel live, seldom enough that a hundred open tabs cost nothing. */
const ASK_EVERY_MS = 10_000;
/** Relative ranges move and unfinished buckets grow without any event. */
const REFRESH_AT_LEAST_MS = 60_000;

export type PulseState = 'on' | 'busy' | 'failed' | 'signed_out';

export interface Pulse {
  state: PulseState;
  /** Something new exists that the page doesn't show yet. */
  pending: boolean;
  refreshing: boolean;
  showNow: () => void;
}

async function askStamp(slug: string): Promise<{ stamp: string } | 'signed_out' | 'failed'> {
  const answer = await fetch(`/api/live?project=${encodeURIComponent(slug)}`, { cache: 'no-store' }).catch(() => null);
  if (answer?.status === 401) return 'signed_out';
  if (!answer?.ok) return 'failed';
  return (await answer.json()) as { stamp: string };
}

/**
 * Loads the page's data again when there is news and the reader isn't busy; only in a visible tab.
 * @param rendered the stamp that the server read when it made what is on the screen
 */
export function usePulse(slug: string, rendered: string, paused: boolean): Pulse {
  const router = useRouter();
  const [refreshing, startTransition] = useTransition();
  const [state, setState] = useState<PulseState>('on');
  const [latest, setLatest] = useState(rendered);
  const shown = useRef({ stamp: rendered, at: 0 });

  useEffect(() => {
    shown.current = { stamp: rendered, at: performance.now() };
  }, [rendered]);

  const showNow = useCallback(() => {
    shown.current.at = performance.now();
    startTransition(() => router.refresh());
  }, [router]);

  useEffect(() => {
    if (paused) return;
    let over = false;
    const tick = async () => {
      if (document.visibilityState !== 'visible') return;
      const answer = await askStamp(slug);
      if (over) return;
      if (typeof answer === 'string') return setState(answer);
      setLatest(answer.stamp);
      const busy = isReaderBusy(document);
      setState(busy ? 'busy' : 'on');
      const stale = performance.now() - shown.current.at > REFRESH_AT_LEAST_MS;
      if (!busy && (stale || answer.stamp !== shown.current.stamp)) showNow();
    };
    void tick();
    const timer = setInterval(() => void tick(), ASK_EVERY_MS);
    const seen = () => void tick();
    document.addEventListener('visibilitychange', seen);
    return () => {
      over = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [slug, paused, showNow]);

  return { state, pending: latest !== rendered && !refreshing, refreshing, showNow };
}
