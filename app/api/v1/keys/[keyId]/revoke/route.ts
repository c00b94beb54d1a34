import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { handle } from '@/app/api/_lib/route';
import { revokeKey } from '@/lib/services/key/revoke-key';

interface Segment {
  params: Promise<{ keyId: string }>;
}

/** Ends a key of `?project=` for good. Asking twice is no fault. */
export function POST(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'key.manage', async (ctx) => {
    const { keyId } = await params;
    const done = await revokeKey(ctx, keyId);
    if (done.ok || done.refusal === 'already_revoked') return answerView({ keyId }, ctx.requestId);
    return answerProblem(done.refusal, ctx);
  });
}
