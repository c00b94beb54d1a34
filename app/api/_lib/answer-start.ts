import { getRecomputeJob } from '@/lib/queries/recompute';
import type { StartResult } from '@/lib/services/recompute/start';
import type { ApiContext } from './access';
import { answerProblem, answerView } from './answer';
import { answerFaults } from './answer-faults';

/** 202 with the job that was queued; 409 carries the one in the way. */
export async function answerStart(ctx: ApiContext, started: StartResult): Promise<Response> {
  const { requestId } = ctx;
  if (started.ok) return answerView(await getRecomputeJob(ctx, started.value.id), requestId, 202);
  const { refusal } = started;
  switch (refusal.code) {
    case 'invalid_request':
      return answerFaults(requestId, refusal.faults);
    case 'already_running': {
      const job = refusal.job && (await getRecomputeJob(ctx, refusal.job.id));
      return answerProblem('already_running', { requestId, extra: { job } });
    }
    case 'forbidden':
    case 'not_found':
      return answerProblem(refusal.code, { requestId });
  }
}
