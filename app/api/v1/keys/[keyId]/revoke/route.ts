import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { handle } from '@/app/api/_lib/route';
import { revokeKey } from '@/lib/services/key/revoke-key';

interface Segment {
  params: Promise<{ keyId: string }>;
}

/** Ends a key for good. One that is revoked already answers 409 `wrong_state`. */
export function POST(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'key.manage', async (ctx) => {
    const done = await revokeKey(ctx, (await params).keyId);
    if (done.ok) return answerView(done.value, ctx.requestId);
    return answerProblem(done.refusal === 'already_revoked' ? 'wrong_state' : done.refusal, ctx);
  });
}
