import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getCode } from '@/lib/queries/codes';

interface Segment {
  params: Promise<{ code: string }>;
}

export function GET(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const range = query.range(ctx.now);
    const filters = query.filters();
    query.end();
    const found = await getCode(ctx, (await params).code, range, filters);
    return found ? answerView(found, ctx.requestId) : answerProblem('not_found', ctx);
  });
}
