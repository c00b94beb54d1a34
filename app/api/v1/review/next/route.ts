import { answerView } from '@/app/api/_lib/answer';
import { answerRefusal } from '@/app/api/_lib/answer-refusal';
import { readJson } from '@/app/api/_lib/read-body';
import { handle } from '@/app/api/_lib/route';
import { getReviewItem } from '@/lib/queries/review';
import { takeNextReviewItem } from '@/lib/services/review/next';

/** `{item}`, or `{item: null}` when nothing is open. */
export function POST(request: Request): Promise<Response> {
  return handle(request, 'review.work', async (ctx) => {
    await readJson(request);
    const taken = await takeNextReviewItem(ctx);
    if (!taken.ok) return answerRefusal(ctx, null, taken.refusal);
    const item = taken.value && (await getReviewItem(ctx, taken.value.id));
    return answerView({ item }, ctx.requestId);
  });
}
