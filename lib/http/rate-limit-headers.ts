/** One limit as the fields of draft-ietf-httpapi-ratelimit-headers show it. */
export interface ShownLimit {
  /** Name of the policy: letters only. */
  name: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/** `RateLimit-Policy` says what the limits are, `RateLimit` what is left of them. */
export function rateLimitHeaders([first, ...others]: readonly [ShownLimit, ...ShownLimit[]]): Record<string, string> {
  let policy = policyOf(first);
  let left = leftOf(first);
  for (const limit of others) {
    policy += `, ${policyOf(limit)}`;
    left += `, ${leftOf(limit)}`;
  }
  return { 'ratelimit-policy': policy, ratelimit: left };
}

function policyOf({ name, quota, windowSeconds }: ShownLimit): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

function leftOf({ name, remaining, resetSeconds }: ShownLimit): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}
