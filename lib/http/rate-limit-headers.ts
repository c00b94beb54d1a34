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
export function rateLimitHeaders(limits: readonly ShownLimit[]): Record<string, string> {
  return {
    'ratelimit-policy': limits
      .map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`)
      .join(', '),
    ratelimit: limits
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}
