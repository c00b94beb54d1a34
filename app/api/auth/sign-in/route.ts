import { z } from 'zod';
import { ADDRESS_HEADER } from '@/lib/auth/better-auth';
import { signIn } from '@/lib/auth/session';
import { answerJson, answerProblem, readSmallJson } from '../_answer';
import { guard } from '../_guard';

const schema = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(1_000) });

const WRONG = 'E-mail or password is wrong.';

export function POST(request: Request): Promise<Response> {
  return guard(request, async ({ auth, clock }) => {
    const body = schema.safeParse(await readSmallJson(request));
    if (!body.success) return answerProblem('invalid_request', 'Send {"email", "password"}.');
    const answer = await signIn(auth, {
      ...body.data,
      address: request.headers.get(ADDRESS_HEADER),
      userAgent: request.headers.get('user-agent'),
      now: clock(),
    });
    if (answer.ok) return answerJson({ ok: true }, 200, answer.setCookies);
    if (answer.refusal === 'wrong_credentials') return answerProblem('invalid_credentials', WRONG);
    return answerProblem('rate_limited', 'Too many tries.', { retryAfterSeconds: answer.retryAfterSeconds });
  });
}
