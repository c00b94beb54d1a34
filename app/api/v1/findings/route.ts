import { answerView } from '@/app/api/_lib/answer';
import { findingsQuery } from '@/app/api/_lib/query-schemas';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { listFindings } from '@/lib/queries/findings';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const words = query.read(findingsQuery);
    const input = { ...words, range: query.range(ctx.now), filters: query.filters(), ...query.page() };
    query.end();
    return answerView(await listFindings(ctx, input), ctx.requestId);
  });
}
