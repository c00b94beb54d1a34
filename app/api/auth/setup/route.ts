import { z } from 'zod';
import { answerProblem } from '@/app/api/_lib/answer';
import { readJson } from '@/app/api/_lib/read-body';
import { ADDRESS_HEADER } from '@/lib/auth/better-auth';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@/lib/auth/password';
import { signIn } from '@/lib/auth/session';
import { PROFILES } from '@/lib/core/attempt';
import { createOwnerFromSetup } from '@/lib/services/setup/create-owner';
import { answerWithCookies, guard } from '../_guard';

const schema = z.object({
  token: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(100),
  email: z.email().max(254),
  password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX),
  projectName: z.string().trim().min(1).max(100),
  profile: z.enum(PROFILES),
  keyName: z.string().trim().min(1).max(100),
});

const UNUSABLE = 'This link was used, has run out, or was never ours.';

export function POST(request: Request): Promise<Response> {
  return guard(request, async ({ auth, db, clock, requestId }) => {
    const body = schema.safeParse(await readJson(request));
    if (!body.success) {
      const fields = [...new Set(body.error.issues.map((issue) => String(issue.path[0] ?? '')))];
      const detail = 'This can not be taken as it is.';
      const errors = fields.map((field) => ({ pointer: `/${field}`, code: 'invalid_request' as const, detail }));
      return answerProblem('invalid_request', { requestId, errors });
    }
    const now = clock();
    const created = await createOwnerFromSetup({ db, now, requestId }, body.data);
    if (!created.ok) return answerProblem('forbidden', { requestId, detail: UNUSABLE });
    const { email, password } = body.data;
    const session = await signIn(auth, {
      email,
      password,
      address: request.headers.get(ADDRESS_HEADER),
      userAgent: request.headers.get('user-agent'),
      now,
    });
    return answerWithCookies(created.value, 201, session.ok ? session.setCookies : []);
  });
}
