import { answerView } from '@/app/api/_lib/answer';
import { operationsQuery } from '@/app/api/_lib/query-schemas';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { listOperations } from '@/lib/queries/operations';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { state: states, q } = query.read(operationsQuery);
    const input = { range: query.range(ctx.now), filters: query.filters(), states, q, ...query.page() };
    query.end();
    return answerView(await listOperations(ctx, input), ctx.requestId);
  });
}
