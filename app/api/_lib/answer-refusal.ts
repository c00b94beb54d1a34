import { getReviewItem } from '@/lib/queries/review';
import type { ReviewVerbRefusal } from '@/lib/services/review/context';
import type { ApiContext } from './access';
import { answerProblem } from './answer';

/** A verb's refusal as problem+json; what lost to another change carries the item as it is now. */
export async function answerRefusal(ctx: ApiContext, id: string | null, refusal: ReviewVerbRefusal): Promise<Response> {
  const { requestId } = ctx;
  switch (refusal.code) {
    case 'forbidden':
    case 'not_found':
      return answerProblem(refusal.code, { requestId });
    case 'invalid_request': {
      const errors = refusal.faults.map((fault) => ({ ...fault, code: refusal.code }));
      return answerProblem(refusal.code, { requestId, errors });
    }
    case 'stale_version':
    case 'wrong_state': {
      const item = id === null ? null : await getReviewItem(ctx, id);
      return answerProblem(refusal.code, { requestId, extra: { item } });
    }
    case 'held_by_other': {
      const { holder, remainingLeaseMs } = refusal;
      const item = id === null ? null : await getReviewItem(ctx, id);
      return answerProblem(refusal.code, { requestId, extra: { holder, remainingLeaseMs, item } });
    }
  }
}
