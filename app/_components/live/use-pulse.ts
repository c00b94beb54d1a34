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

/** Loads the page's data again when there is news and the reader isn't busy; only in a visible tab. */
export function usePulse(slug: string, paused: boolean): Pulse {
  const router = useRouter();
  const [refreshing, startTransition] = useTransition();
  const [state, setState] = useState<PulseState>('on');
  const [pending, setPending] = useState(false);
  const shown = useRef<{ stamp: string | null; at: number }>({ stamp: null, at: 0 });

  const showNow = useCallback(() => {
    setPending(false);
    shown.current = { stamp: null, at: performance.now() };
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
      const { stamp } = answer;
      const first = shown.current.stamp === null;
      const news = !first && stamp !== shown.current.stamp;
      const stale = performance.now() - shown.current.at > REFRESH_AT_LEAST_MS;
      if (first) shown.current = { stamp, at: performance.now() };
      const busy = isReaderBusy(document);
      setState(busy ? 'busy' : 'on');
      if (!news && !stale) return;
      if (busy) return setPending(news);
      shown.current = { stamp, at: performance.now() };
      setPending(false);
      startTransition(() => router.refresh());
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
  }, [slug, paused, router]);

  return { state, pending, refreshing, showNow };
}
