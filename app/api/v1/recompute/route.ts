import { answerView } from '@/app/api/_lib/answer';
import { answerStart } from '@/app/api/_lib/answer-start';
import { readJson } from '@/app/api/_lib/read-body';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { listRecomputeJobs } from '@/lib/queries/recompute';
import { startRecompute } from '@/lib/services/recompute/start';

/** Previews and recomputations, newest first. */
export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    const query = new QueryReader(request);
    const page = query.page();
    query.end();
    return answerView(await listRecomputeJobs(ctx, page), ctx.requestId);
  });
}

/** Queues a recomputation of `{from?, to?}`. */
export function POST(request: Request): Promise<Response> {
  return handle(request, 'rules.manage', async (ctx) =>
    answerStart(ctx, await startRecompute(ctx, await readJson(request))),
  );
}
