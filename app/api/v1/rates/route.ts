import { answerView } from '@/app/api/_lib/answer';
import { ratesQuery } from '@/app/api/_lib/query-schemas';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getRates } from '@/lib/queries/rates';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { groupBy = 'code' } = query.read(ratesQuery);
    const range = query.range(ctx.now);
    const input = { range, step: query.step(range), groupBy, filters: query.filters() };
    query.end();
    return answerView(await getRates(ctx, input), ctx.requestId);
  });
}
