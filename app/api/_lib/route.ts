import { randomUUID } from 'node:crypto';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import type { Permission } from '@/lib/core/permission';
import type { ProblemCode, ProblemItem } from '@/lib/platform/problem';
import { QueryInputError } from '@/lib/queries/range';
import { openContext, type ApiContext } from './access';
import { answerProblem } from './answer';

/** Thrown by parsers of this folder, answered as problem+json by {@link handle}. */
export class RequestError extends Error {
  override name = 'RequestError';
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly errors?: ProblemItem[],
  ) {
    super(detail);
  }
}

/**
 * The one way into the API: who asks and may they, then the work, every failure as problem+json.
 * @param permission what the caller's role, or its key's scope, must hold
 */
export async function handle(
  request: Request,
  permission: Permission,
  work: (ctx: ApiContext) => Promise<Response>,
): Promise<Response> {
  const requestId = randomUUID();
  try {
    const ctx = await openContext(request, permission, requestId);
    if (!ctx.ok) {
      const detail = ctx.refusal === 'invalid_request' ? 'Name the project: ?project=<slug>.' : undefined;
      return answerProblem(ctx.refusal, { requestId, ...(detail === undefined ? {} : { detail }) });
    }
    return await work(ctx.value);
  } catch (error) {
    return answerError(request, error, requestId);
  }
}

/** Any failure as problem+json, for routes that let people in by themselves. */
export function answerError(request: Request, error: unknown, requestId: string): Response {
  if (error instanceof RequestError) {
    const { code, message: detail, errors } = error;
    return answerProblem(code, { requestId, detail, ...(errors ? { errors } : {}) });
  }
  if (error instanceof QueryInputError) {
    const errors: ProblemItem[] = [{ pointer: `/${error.field}`, code: 'invalid_request', detail: error.message }];
    return answerProblem('invalid_request', { requestId, detail: error.message, errors });
  }
  const { pathname } = new URL(request.url);
  getWebRuntime().log.error({ err: error, path: pathname, requestId }, 'request failed');
  return answerProblem(codeOfFault(error), { requestId });
}

/** Statement and lock timeouts; then classes 08 and 57 and what a lost socket is called. */
function codeOfFault(error: unknown): ProblemCode {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return 'internal_error';
  if (code === '57014' || code === '55P03') return 'deadline_exceeded';
  if (/^(08|57|53)/.test(code)) return 'database_unavailable';
  return /^(ECONN|ETIMEDOUT|EPIPE|ENOENT|CONNECT|CONNECTION_)/.test(code) ? 'database_unavailable' : 'internal_error';
}
