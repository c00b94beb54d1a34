import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimitHeaders } from '@/lib/http/rate-limit-headers';
import { TokenBuckets, WINDOW_SECONDS } from '@/lib/http/token-bucket';

function at(start = 0) {
  const clock = { ms: start };
  return { clock, buckets: new TokenBuckets(100, () => clock.ms) };
}

describe('token buckets', () => {
  it('lets a full bucket through at once and then says how long to wait', () => {
    const { buckets, clock } = at();
    for (let sent = 0; sent < 20; sent += 1)
      expect(buckets.take('a', 2)).toMatchObject({ ok: true, remaining: 19 - sent });
    expect(buckets.take('a', 2)).toEqual({
      ok: false,
      limit: 20,
      remaining: 0,
      fullInSeconds: 10,
      retryAfterSeconds: 1,
    });
    clock.ms += 499;
    expect(buckets.take('a', 2).ok).toBe(false);
    clock.ms += 1;
    expect(buckets.take('a', 2).ok).toBe(true);
  });

  it('keeps names apart', () => {
    const { buckets } = at();
    while (buckets.take('a', 1).ok);
    expect(buckets.take('b', 1).ok).toBe(true);
  });

  it('has a request’s events paid by those that come after, for a bucket’s time at most', () => {
    const { buckets, clock } = at();
    buckets.take('a', 10);
    expect(buckets.charge('a', 10, 149)).toMatchObject({ remaining: 0, fullInSeconds: 15 });
    expect(buckets.take('a', 10)).toMatchObject({ ok: false, retryAfterSeconds: 6 });
    buckets.charge('a', 10, 1_000_000);
    expect(buckets.take('a', 10)).toMatchObject({ ok: false, retryAfterSeconds: WINDOW_SECONDS + 1 });
    clock.ms += 11_000;
    expect(buckets.take('a', 10).ok).toBe(true);
  });

  it('survives a clock that stands still and a rate that changes', () => {
    const { buckets, clock } = at(1_000);
    while (buckets.take('a', 5).ok);
    clock.ms -= 500;
    expect(buckets.take('a', 5).ok).toBe(false);
    clock.ms += 60_000;
    expect(buckets.take('a', 1)).toMatchObject({ ok: true, limit: 10, remaining: 9 });
  });

  it('never lets more through than a full bucket and its rate, and whoever waits as told is let in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.tuple(fc.nat(3_000), fc.nat(20)), { maxLength: 60 }),
        (rate, steps) => {
          const { buckets, clock } = at();
          let passed = 0;
          for (const [passMs, more] of steps) {
            clock.ms += passMs;
            const view = buckets.take('a', rate);
            if (view.ok) {
              passed += 1 + more;
              buckets.charge('a', rate, more);
            } else {
              clock.ms += view.retryAfterSeconds * 1000;
              expect(buckets.take('a', rate).ok).toBe(true);
              passed += 1;
            }
          }
          // The last request may overdraw by its own events.
          expect(passed).toBeLessThanOrEqual(rate * WINDOW_SECONDS + (clock.ms / 1000) * rate + 21);
        },
      ),
    );
  });
});

describe('rate limit headers', () => {
  it('are lists of quoted names with parameters', () => {
    const key = { name: 'key', quota: 500, windowSeconds: 10, remaining: 3, resetSeconds: 9 };
    const day = { name: 'day', quota: 1000, windowSeconds: 86_400, remaining: 0, resetSeconds: 60 };
    expect(rateLimitHeaders([key, day])).toEqual({
      'ratelimit-policy': '"key";q=500;w=10, "day";q=1000;w=86400',
      ratelimit: '"key";r=3;t=9, "day";r=0;t=60',
    });
  });
});
