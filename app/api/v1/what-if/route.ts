import { answerStart } from '@/app/api/_lib/answer-start';
import { readJson } from '@/app/api/_lib/read-body';
import { handle } from '@/app/api/_lib/route';
import { startWhatIf } from '@/lib/services/recompute/start';

/** Queues a preview of `{settings?, targets?, defaultProfile?, ruleSets?, from?, to?}`; its job holds the result. */
export function POST(request: Request): Promise<Response> {
  return handle(request, 'rules.manage', async (ctx) =>
    answerStart(ctx, await startWhatIf(ctx, await readJson(request))),
  );
}
