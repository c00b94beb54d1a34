import { signOut } from '@/lib/auth/session';
import { answerJson } from '../_answer';
import { guard } from '../_guard';

export function POST(request: Request): Promise<Response> {
  return guard(request, async ({ auth }) => answerJson({ ok: true }, 200, await signOut(auth, request.headers)));
}
