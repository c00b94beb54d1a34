import { answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getReviewSummary } from '@/lib/queries/review';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const filters = { ...query.filters(), actorId: ctx.actor.id };
    query.end();
    return answerView(await getReviewSummary(ctx, filters), ctx.requestId);
  });
}
