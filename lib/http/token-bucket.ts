import { LRUCache } from 'lru-cache';

/** Seconds of its rate that a bucket holds: so much may come at once after a pause. */
export const WINDOW_SECONDS = 10;

interface Bucket {
  tokens: number;
  /** Monotonic ms. */
  filledAt: number;
  /** Tokens a second, by which it was filled last. */
  rate: number;
}

export interface BucketView {
  ok: boolean;
  /** Tokens of a full bucket, and those left, rounded down and never negative. */
  limit: number;
  remaining: number;
  /** Whole seconds until it is full again. */
  fullInSeconds: number;
  /** Whole seconds until a token is there; 0 when `ok`. */
  retryAfterSeconds: number;
}

/** Token buckets in memory, one a name. Names seen longest ago are forgotten first, which only fills their bucket. */
export class TokenBuckets {
  private readonly buckets: LRUCache<string, Bucket>;

  /** @param now monotonic ms */
  constructor(
    namesMax: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.buckets = new LRUCache({ max: namesMax });
  }

  /** Takes one token, or says how long there is none. */
  take(name: string, rate: number): BucketView {
    const bucket = this.fill(name, rate);
    const ok = bucket.tokens >= 1;
    if (ok) bucket.tokens -= 1;
    return viewOf(bucket, ok);
  }

  /**
   * Takes what a request turned out to cost beyond its first token, also where so many are not there: the debt is paid
   * by those that come after, and is never more than a full bucket.
   */
  charge(name: string, rate: number, tokens: number): BucketView {
    const bucket = this.fill(name, rate);
    bucket.tokens = Math.max(-rate * WINDOW_SECONDS, bucket.tokens - tokens);
    return viewOf(bucket, true);
  }

  private fill(name: string, rate: number): Bucket {
    const now = this.now();
    const full = rate * WINDOW_SECONDS;
    let bucket = this.buckets.get(name);
    if (!bucket) {
      bucket = { tokens: full, filledAt: now, rate };
      this.buckets.set(name, bucket);
      return bucket;
    }
    const grown = ((now - bucket.filledAt) / 1000) * rate;
    bucket.tokens = Math.min(full, bucket.tokens + Math.max(0, grown));
    bucket.filledAt = now;
    bucket.rate = rate;
    return bucket;
  }
}

function viewOf({ tokens, rate }: Bucket, ok: boolean): BucketView {
  const limit = rate * WINDOW_SECONDS;
  return {
    ok,
    limit,
    remaining: Math.max(0, Math.floor(tokens)),
    fullInSeconds: Math.ceil((limit - tokens) / rate),
    retryAfterSeconds: ok ? 0 : Math.max(1, Math.ceil((1 - tokens) / rate)),
  };
}
