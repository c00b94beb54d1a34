import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getOperation } from '@/lib/queries/operation';

interface Segment {
  params: Promise<{ operationId: string }>;
}

export function GET(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    new QueryReader(request).end();
    const story = await getOperation(ctx, (await params).operationId);
    return story ? answerView(story, ctx.requestId) : answerProblem('not_found', ctx);
  });
}
