import { signOut } from '@/lib/auth/session';
import { answerWithCookies, guard } from '../_guard';

export function POST(request: Request): Promise<Response> {
  return guard(request, async ({ auth }) => answerWithCookies({ ok: true }, 200, await signOut(auth, request.headers)));
}
