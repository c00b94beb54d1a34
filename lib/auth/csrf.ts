import { ok, refuse, type Result } from '../core/result';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

export type CrossSiteRefusal = 'cross_origin' | 'unsupported_media_type';

/**
 * Whether a request that a browser signs by cookie comes from our own pages.
 * Unsafe methods need a JSON body and one of our origins; a missing or `null` Origin is refused,
 * and `Sec-Fetch-Site` must say `same-origin` when it is sent.
 */
export function checkSameOrigin(
  request: { method: string; headers: Headers },
  origins: readonly string[],
): Result<true, CrossSiteRefusal> {
  if (SAFE_METHODS.includes(request.method)) return ok(true);
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (!origin || !origins.includes(origin)) return refuse('cross_origin');
  if (site !== null && site !== 'same-origin') return refuse('cross_origin');
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' ? ok(true) : refuse('unsupported_media_type');
}
