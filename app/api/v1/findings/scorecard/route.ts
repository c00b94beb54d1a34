import { answerView } from '@/app/api/_lib/answer';
import { scorecardQuery } from '@/app/api/_lib/query-schemas';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { listScorecard } from '@/lib/queries/finding-counts';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const { by = 'service' } = query.read(scorecardQuery);
    const range = query.range(ctx.now);
    const filters = query.filters();
    query.end();
    return answerView({ rows: await listScorecard(ctx, range, filters, by) }, ctx.requestId);
  });
}
