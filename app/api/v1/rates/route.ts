import { z } from 'zod';
import { answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getRates } from '@/lib/queries/rates';
import { RATE_GROUPS } from '@/lib/queries/views';

const schema = z.object({ groupBy: z.enum(RATE_GROUPS) }).partial();

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { groupBy = 'code' } = query.read(schema);
    const range = query.range(ctx.now);
    const input = { range, step: query.step(range), groupBy, filters: query.filters() };
    query.end();
    return answerView(await getRates(ctx, input), ctx.requestId);
  });
}
