import type { ProblemCode } from '../platform/problem';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** RFC 9112 §3.2.2: a server takes the absolute form too. Anything else that is no path stays as it came. */
export function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url;
  const [, path] = /^https?:\/\/[^/?#]*(.*)$/i.exec(url) ?? [];
  if (path === undefined) return url;
  return path.startsWith('/') ? path : `/${path}`;
}

/** What no page and no route can be asked for, said before they choke on it; null when there is nothing to say. */
export function refuseTarget(
  method: string,
  url: string,
): { code: Extract<ProblemCode, 'method_not_allowed' | 'invalid_request'>; detail: string } | null {
  if (!METHODS.has(method)) return { code: 'method_not_allowed', detail: 'The method is not offered anywhere here.' };
  if (!url.startsWith('/')) return { code: 'invalid_request', detail: 'The address must be a path.' };
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
  } catch {
    return { code: 'invalid_request', detail: 'The address is not percent-encoded UTF-8.' };
  }
  // No text that holds it can be stored, so nothing has it for a name.
  if (/%00/.test(url)) return { code: 'invalid_request', detail: 'The address holds NUL.' };
  return null;
}

/** Our code for a refusal that came without one. */
export function codeOfStatus(
  status: number,
): Extract<
  ProblemCode,
  'method_not_allowed' | 'invalid_request' | 'not_found' | 'payload_too_large' | 'internal_error'
> {
  if (status === 404) return 'not_found';
  if (status === 405) return 'method_not_allowed';
  if (status === 413) return 'payload_too_large';
  return status < 500 ? 'invalid_request' : 'internal_error';
}
