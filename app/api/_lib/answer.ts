import { problemKind, type ProblemCode, type ProblemItem } from '@/lib/platform/problem';
import { writeInstants } from './write-instants';

const PRIVATE = { 'cache-control': 'private, no-store' };
const RETRY_AFTER_SECONDS = 2;

/** A read model as JSON: instants as ISO 8601 UTC. */
export function answerView(view: unknown, requestId: string, status = 200): Response {
  return Response.json(writeInstants(view), { status, headers: { ...PRIVATE, 'x-request-id': requestId } });
}

export interface ProblemOptions {
  requestId: string;
  /** One sentence of ours; never a library's or the database's. */
  detail?: string;
  errors?: ProblemItem[];
  /** Members beside the standard ones; instants are written as in views. */
  extra?: Record<string, unknown>;
  /** For 429 and 503, when more is known than the usual pause. */
  retryAfterSeconds?: number;
}

/** RFC 9457; 429 and 503 always say when to come back, in whole seconds. */
export function answerProblem(code: ProblemCode, options: ProblemOptions): Response {
  const kind = problemKind(code);
  const headers = new Headers({
    ...PRIVATE,
    'content-type': 'application/problem+json',
    'x-request-id': options.requestId,
  });
  if (kind.status === 429 || kind.status === 503) {
    headers.set('retry-after', String(options.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
  if (kind.status === 401) headers.set('www-authenticate', 'Bearer');
  const body = {
    type: `/docs/errors#${code}`,
    title: kind.title,
    status: kind.status,
    detail: options.detail ?? kind.title,
    code,
    requestId: options.requestId,
    ...(options.errors ? { errors: options.errors } : {}),
    ...(options.extra ? (writeInstants(options.extra) as object) : {}),
  };
  return new Response(JSON.stringify(body), { status: kind.status, headers });
}
