'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { askReview } from '../../_components/review-api';

/** The time now, moved on by itself; starts with the server's, so that both draw the same first picture. */
export function useNow(now: number, everyMs: number): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Math.max(time, now);
}

export interface Lease {
  /** Epoch ms; null while the viewer doesn't hold the item. */
  until: number | null;
  /** The last renewal was not confirmed. */
  failed: boolean;
}

const RENEWALS_PER_LEASE = 3;
const RENEW_EVERY_MS_MIN = 20_000;

/**
 * Keeps the viewer's claim alive while the page is open, hidden tabs too: who reads back in another window still works.
 * @param held null while the viewer doesn't hold the item. @param onLost the claim is somebody else's, or over.
 */
export function useLease(
  { slug, id, leaseMs }: { slug: string; id: string; leaseMs: number },
  held: number | null,
  onLost: () => void,
): Lease {
  const [renewed, setRenewed] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  const holds = held !== null;
  const lose = useEffectEvent(onLost);
  useEffect(() => {
    if (!holds) return;
    let over = false;
    const renew = async (): Promise<void> => {
      const said = await askReview(slug, id, 'renew', {});
      if (over) return;
      setFailed(said.kind !== 'done');
      if (said.kind === 'done') setRenewed(said.item?.leaseUntil ? Date.parse(said.item.leaseUntil) : null);
      if (said.kind === 'wrong_state' || said.kind === 'held_by_other') lose();
    };
    const timer = setInterval(() => void renew(), Math.max(RENEW_EVERY_MS_MIN, leaseMs / RENEWALS_PER_LEASE));
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [holds, slug, id, leaseMs]);
  return { until: holds ? Math.max(held, renewed ?? 0) : null, failed: holds && failed };
}
