import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { answerRefusal } from '@/app/api/_lib/answer-refusal';
import { readJson } from '@/app/api/_lib/read-body';
import { handle } from '@/app/api/_lib/route';
import { getReviewItem } from '@/lib/queries/review';
import { claimReviewItem } from '@/lib/services/review/claim';
import type { ChangedItem, VerbContext, VerbResult } from '@/lib/services/review/context';
import { noteReviewItem } from '@/lib/services/review/note';
import { releaseReviewItem } from '@/lib/services/review/release';
import { renewReviewItem } from '@/lib/services/review/renew';
import { reopenReviewItem } from '@/lib/services/review/reopen';
import { resolveReviewItem } from '@/lib/services/review/resolve';
import { snoozeReviewItem } from '@/lib/services/review/snooze';

type Verb = (ctx: VerbContext, id: string, body: unknown) => Promise<VerbResult<ChangedItem>>;

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['claim', claimReviewItem],
  ['renew', renewReviewItem],
  ['release', releaseReviewItem],
  ['note', noteReviewItem],
  ['snooze', snoozeReviewItem],
  ['resolve', resolveReviewItem],
  ['reopen', reopenReviewItem],
]);

interface Segment {
  params: Promise<{ id: string; verb: string }>;
}

/** The changed item; a refused change comes with the item as it is now. */
export function POST(request: Request, { params }: Segment): Promise<Response> {
  return handle(request, 'review.work', async (ctx) => {
    const { id, verb } = await params;
    const run = VERBS.get(verb);
    if (!run) return answerProblem('not_found', ctx);
    const done = await run(ctx, id, await readJson(request));
    if (!done.ok) return answerRefusal(ctx, id, done.refusal);
    return answerView(await getReviewItem(ctx, done.value.id), ctx.requestId);
  });
}
