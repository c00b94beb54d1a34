import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { handle } from '@/app/api/_lib/route';
import { revokeKey } from '@/lib/services/key/revoke-key';

/** Ends a key of `?project=` for good. Asking twice is no fault. */
export function POST(request: Request, { params }: { params: Promise<{ keyId: string }> }): Promise<Response> {
  return handle(request, 'key.manage', async (ctx) => {
    const { keyId } = await params;
    const revoked = await revokeKey(ctx, keyId);
    if (revoked.ok || revoked.refusal === 'already_revoked') return answerView({ keyId }, ctx.requestId);
    return answerProblem(revoked.refusal, { requestId: ctx.requestId });
  });
}
