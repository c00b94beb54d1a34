import { answerView } from '@/app/api/_lib/answer';
import { reviewQuery } from '@/app/api/_lib/query-schemas';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { listReview } from '@/lib/queries/review';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { sort = 'due', ...own } = query.read(reviewQuery);
    const filters = { ...query.filters(), ...own, actorId: ctx.actor.id };
    const page = query.page();
    query.end();
    return answerView(await listReview(ctx, { filters, sort, ...page }), ctx.requestId);
  });
}
