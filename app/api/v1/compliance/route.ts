import { z } from 'zod';
import { answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getCompliance } from '@/lib/queries/compliance';
import { COMPLIANCE_GROUPS } from '@/lib/queries/views';

const schema = z.object({ groupBy: z.enum(COMPLIANCE_GROUPS) }).partial();

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { groupBy = 'service' } = query.read(schema);
    const range = query.range(ctx.now);
    const input = { range, step: query.step(range), groupBy, filters: query.filters() };
    query.end();
    return answerView(await getCompliance(ctx, input), ctx.requestId);
  });
}
