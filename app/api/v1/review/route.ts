import { z } from 'zod';
import { answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { REVIEW_STATES } from '@/lib/core/review';
import { listReview } from '@/lib/queries/review';

const schema = z
  .object({
    state: z.array(z.enum(REVIEW_STATES)).max(10),
    assignee: z.enum(['mine', 'others', 'nobody']),
    sort: z.enum(['due', 'amount']),
    q: z.string().max(200),
  })
  .partial();

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { sort = 'due', ...own } = query.read(schema);
    const filters = { ...query.filters(), ...own, actorId: ctx.actor.id };
    const page = query.page();
    query.end();
    return answerView(await listReview(ctx, { filters, sort, ...page }), ctx.requestId);
  });
}
