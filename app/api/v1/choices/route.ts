import { answerView } from '@/app/api/_lib/answer';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle } from '@/app/api/_lib/route';
import { listFilterChoices } from '@/lib/queries/choices';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'read', async (ctx) => {
    new QueryReader(request).end();
    return answerView(await listFilterChoices(ctx), ctx.requestId);
  });
}
