import { z } from 'zod';
import { answerProblem } from '@/app/api/_lib/answer';
import { readJson } from '@/app/api/_lib/read-body';
import { ADDRESS_HEADER } from '@/lib/auth/better-auth';
import { signIn } from '@/lib/auth/session';
import { answerWithCookies, guard } from '../_guard';

const schema = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(1_000) });

export function POST(request: Request): Promise<Response> {
  return guard(request, async ({ auth, clock, requestId }) => {
    const body = schema.safeParse(await readJson(request));
    if (!body.success) return answerProblem('invalid_request', { requestId, detail: 'Send {"email", "password"}.' });
    const answer = await signIn(auth, {
      ...body.data,
      address: request.headers.get(ADDRESS_HEADER),
      userAgent: request.headers.get('user-agent'),
      now: clock(),
    });
    if (answer.ok) return answerWithCookies({ ok: true }, 200, answer.setCookies);
    if (answer.refusal === 'wrong_credentials') {
      return answerProblem('invalid_credentials', { requestId, detail: 'E-mail or password is wrong.' });
    }
    const { retryAfterSeconds } = answer;
    return answerProblem('rate_limited', { requestId, detail: 'Too many tries.', retryAfterSeconds });
  });
}
