import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { handle } from '@/app/api/_lib/route';
import { getRecomputeJob } from '@/lib/queries/recompute';
import { cancelRecompute } from '@/lib/services/recompute/cancel';

interface Segment {
  params: Promise<{ id: string }>;
}

/** The job as it is now; 409 when it had ended by itself. */
export function POST(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'rules.manage', async (ctx) => {
    const { id } = await params;
    const { requestId } = ctx;
    const done = await cancelRecompute(ctx, id);
    if (done.ok) return answerView(await getRecomputeJob(ctx, id), requestId);
    if (done.refusal !== 'wrong_state') return answerProblem(done.refusal, { requestId });
    return answerProblem('wrong_state', { requestId, extra: { job: await getRecomputeJob(ctx, id) } });
  });
}
