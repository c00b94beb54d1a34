import { authorizePerson } from '@/lib/auth/authorize';
import { authenticateRequest } from '@/lib/auth/context';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { getPulse } from '@/lib/queries/pulse';
import { answerJson, answerProblem } from '../auth/_answer';

/** Whether a page of `?project=` would show anything new. */
export async function GET(request: Request): Promise<Response> {
  const { db, log } = getWebRuntime();
  try {
    const signedIn = await authenticateRequest(request);
    if (!signedIn.ok) return answerProblem('missing_credentials', 'Sign in again.');
    const slug = new URL(request.url).searchParams.get('project') ?? '';
    const found = await authorizePerson(db, signedIn.value.person, slug, 'read');
    if (!found.ok) return answerProblem('not_found', 'There is no such project.');
    return answerJson(await getPulse({ db, project: found.value.project }));
  } catch (error) {
    log.warn({ err: error }, 'pulse failed');
    return answerProblem('database_unavailable', 'Ask again later.', { retryAfterSeconds: 5 });
  }
}
