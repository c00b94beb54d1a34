import { answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { countFindings } from '@/lib/queries/finding-counts';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const range = query.range(ctx.now);
    const filters = query.filters();
    query.end();
    return answerView({ checks: await countFindings(ctx, range, filters) }, ctx.requestId);
  });
}
