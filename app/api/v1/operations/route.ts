import { z } from 'zod';
import { answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { OPERATION_STATES } from '@/lib/core/operation';
import { listOperations } from '@/lib/queries/operations';

const schema = z.object({ state: z.array(z.enum(OPERATION_STATES)).max(20), q: z.string().max(200) }).partial();

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { state: states, q } = query.read(schema);
    const input = { range: query.range(ctx.now), filters: query.filters(), states, q, ...query.page() };
    query.end();
    return answerView(await listOperations(ctx, input), ctx.requestId);
  });
}
