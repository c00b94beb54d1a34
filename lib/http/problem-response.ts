import { problemKind, type ProblemCode, type ProblemItem } from '../platform/problem';
import type { PlainResponse } from './request';

/** `errors` never lists more; `totalErrors` says how many there were. */
export const ERRORS_LISTED_MAX = 100;
const RETRY_AFTER_SECONDS = 1;

export interface ProblemOptions {
  requestId: string;
  /** One sentence; never text of the body, of SQL or of a stack. */
  detail?: string;
  errors?: ProblemItem[];
  /** Whole seconds; 429 and 503 always carry one. */
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** Members beside the standard ones. */
  extra?: Record<string, unknown>;
}

/** RFC 9457. `type` is a relative reference that docs/errors.md resolves. */
export function problemResponse(code: ProblemCode, options: ProblemOptions): PlainResponse {
  const kind = problemKind(code);
  const waits = kind.status === 429 || kind.status === 503;
  const errors = options.errors?.slice(0, ERRORS_LISTED_MAX);
  return {
    status: kind.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(waits
        ? { 'retry-after': String(Math.max(1, Math.ceil(options.retryAfterSeconds ?? RETRY_AFTER_SECONDS))) }
        : {}),
      ...(kind.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...options.headers,
    },
    body: JSON.stringify({
      type: `/docs/errors#${code}`,
      title: kind.title,
      status: kind.status,
      detail: options.detail ?? kind.title,
      code,
      requestId: options.requestId,
      ...(errors ? { errors, totalErrors: options.errors?.length } : {}),
      ...options.extra,
    }),
  };
}
