import { checkSameOrigin } from '@/lib/auth/csrf';
import { getWebRuntime, type WebRuntime } from '@/lib/auth/web-runtime';
import { answerProblem } from './_answer';

const DATABASE_AWAY_SECONDS = 2;

/** Same-origin JSON only; a fault of the database is a 503 that may be sent again, anything else a 500. */
export async function guard(request: Request, work: (runtime: WebRuntime) => Promise<Response>): Promise<Response> {
  const runtime = getWebRuntime();
  const allowed = checkSameOrigin(request, runtime.auth.origins);
  if (!allowed.ok) {
    return allowed.refusal === 'cross_origin'
      ? answerProblem('csrf_refused', 'Only the pages of this installation may ask for this.')
      : answerProblem('unsupported_media_type', 'Send application/json.');
  }
  try {
    return await work(runtime);
  } catch (error) {
    runtime.log.error({ err: error, path: new URL(request.url).pathname }, 'auth request failed');
    return answerProblem('database_unavailable', 'Nothing was changed; try again in a moment.', {
      retryAfterSeconds: DATABASE_AWAY_SECONDS,
    });
  }
}
