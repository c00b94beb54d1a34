import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getReviewItem } from '@/lib/queries/review';

interface Segment {
  params: Promise<{ id: string }>;
}

export function GET(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    new QueryReader(request).end();
    const item = await getReviewItem(ctx, (await params).id);
    return item ? answerView(item, ctx.requestId) : answerProblem('not_found', ctx);
  });
}
