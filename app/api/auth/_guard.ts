import { randomUUID } from 'node:crypto';
import { answerProblem } from '@/app/api/_lib/answer';
import { answerError } from '@/app/api/_lib/route';
import { checkSameOrigin } from '@/lib/auth/csrf';
import { getWebRuntime, type WebRuntime } from '@/lib/auth/web-runtime';

export interface GuardedContext extends WebRuntime {
  requestId: string;
}

/** For what is asked before anybody is signed in: our own pages only, every failure as problem+json. */
export async function guard(request: Request, work: (ctx: GuardedContext) => Promise<Response>): Promise<Response> {
  const runtime = getWebRuntime();
  const requestId = randomUUID();
  const allowed = checkSameOrigin(request, runtime.auth.origins);
  if (!allowed.ok) {
    return answerProblem(allowed.refusal === 'cross_origin' ? 'csrf_refused' : 'unsupported_media_type', { requestId });
  }
  try {
    return await work({ ...runtime, requestId });
  } catch (error) {
    return answerError(request, error, requestId);
  }
}

/** `{"ok": true}` or what was made, with the session's cookies. */
export function answerWithCookies(body: unknown, status: number, cookies: readonly string[]): Response {
  const answer = Response.json(body, { status, headers: { 'cache-control': 'private, no-store' } });
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
  return answer;
}
