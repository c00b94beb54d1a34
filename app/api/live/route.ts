import { answerView } from '@/app/api/_lib/answer';
import { handle } from '@/app/api/_lib/route';
import { getPulse } from '@/lib/queries/pulse';

/** Whether a page of `?project=` would show anything new. */
export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => answerView(await getPulse(ctx), ctx.requestId));
}
