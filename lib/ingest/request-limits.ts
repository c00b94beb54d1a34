import type { AuthorizedKey } from '@/lib/auth/authorize-key';
import { rateLimitHeaders, type ShownLimit } from '@/lib/http/rate-limit-headers';
import { TokenBuckets, WINDOW_SECONDS, type BucketView } from '@/lib/http/token-bucket';
import type { Clock } from '@/lib/platform/clock';
import type { ProblemCode } from '@/lib/platform/problem';
import type { DailyQuotas, QuotaView } from './daily-quota';

const KEYS_MAX = 5_000;
const DAY_SECONDS = 86_400;

/** Whether a request of a key may go on, and what the answer's headers say of its limits. */
export interface Allowance {
  refusal: { code: Extract<ProblemCode, 'rate_limited' | 'quota_exceeded'>; retryAfterSeconds: number } | null;
  headers: Record<string, string>;
}

export interface RequestLimitsOptions {
  /** Of a key that has no rate of its own. */
  eventsPerSecond: number;
  quotas: DailyQuotas;
  clock: Clock;
}

/**
 * What a key may send: events a second, in this process, and its project's events a day. A request costs a token before
 * its body is read, and one more for every event beyond the first once they are known.
 */
export class RequestLimits {
  /** Requests, since the start. */
  refused = 0;
  private readonly buckets = new TokenBuckets(KEYS_MAX);

  constructor(private readonly options: RequestLimitsOptions) {}

  /**
   * Without a quota the answer comes at once: most requests need not wait a turn of the loop for it.
   * @param stores does the request store events, so that the quota counts?
   */
  admit(key: AuthorizedKey, stores: boolean): Allowance | Promise<Allowance> {
    const bucket = this.buckets.take(key.keyId, this.rateOf(key));
    if (!stores || key.dailyEventsMax === null) return this.noted(allow(bucket, null));
    return this.admitWithin(bucket, key.project.id, key.dailyEventsMax);
  }

  private async admitWithin(bucket: BucketView, projectId: number, max: number): Promise<Allowance> {
    const quota = await this.options.quotas.look(projectId, max, this.options.clock());
    return this.noted(allow(bucket, { max, ...quota }));
  }

  private noted(allowance: Allowance): Allowance {
    if (allowance.refusal) this.refused += 1;
    return allowance;
  }

  /** @param events of the request's body */
  charge(key: AuthorizedKey, events: number): void {
    if (events > 1) this.buckets.charge(key.keyId, this.rateOf(key), events - 1);
  }

  /** New events that were stored. */
  note(key: AuthorizedKey, accepted: number): void {
    if (key.dailyEventsMax !== null) this.options.quotas.add(key.project.id, accepted);
  }

  private rateOf(key: AuthorizedKey): number {
    return key.eventsPerSecond ?? this.options.eventsPerSecond;
  }
}

function allow(bucket: BucketView, quota: (QuotaView & { max: number }) | null): Allowance {
  const limits: [ShownLimit, ...ShownLimit[]] = [
    {
      name: 'key',
      quota: bucket.limit,
      windowSeconds: WINDOW_SECONDS,
      remaining: bucket.remaining,
      resetSeconds: bucket.fullInSeconds,
    },
  ];
  if (quota) {
    const { max, remaining, endsInSeconds } = quota;
    limits.push({ name: 'day', quota: max, windowSeconds: DAY_SECONDS, remaining, resetSeconds: endsInSeconds });
  }
  const headers = rateLimitHeaders(limits);
  if (!bucket.ok) return { refusal: { code: 'rate_limited', retryAfterSeconds: bucket.retryAfterSeconds }, headers };
  if (quota && !quota.ok)
    return { refusal: { code: 'quota_exceeded', retryAfterSeconds: quota.endsInSeconds }, headers };
  return { refusal: null, headers };
}
