import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getRecomputeJob } from '@/lib/queries/recompute';

interface Segment {
  params: Promise<{ id: string }>;
}

export function GET(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    new QueryReader(request).end();
    const job = await getRecomputeJob(ctx, (await params).id);
    return job ? answerView(job, ctx.requestId) : answerProblem('not_found', ctx);
  });
}
