import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { answerFaults } from '@/app/api/_lib/answer-faults';
import { readJson } from '@/app/api/_lib/read-body';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { getProjectSettings } from '@/lib/queries/project-settings';
import { changeSettings } from '@/lib/services/project/change-settings';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    new QueryReader(request).end();
    return answerView(await getProjectSettings(ctx), ctx.requestId);
  });
}

/** The settings after the change; a stale `version` gets 409 with the current ones. */
export function POST(request: Request): Promise<Response> {
  return handle(request, 'rules.manage', async (ctx) => {
    const done = await changeSettings(ctx, await readJson(request));
    if (done.ok) return answerView(await getProjectSettings(ctx), ctx.requestId);
    const { refusal } = done;
    if (refusal.code === 'invalid_request') return answerFaults(ctx.requestId, refusal.faults);
    if (refusal.code !== 'stale_version') return answerProblem(refusal.code, ctx);
    const { requestId } = ctx;
    return answerProblem('stale_version', { requestId, extra: { current: await getProjectSettings(ctx) } });
  });
}
