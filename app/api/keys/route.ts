import { answerProblem } from '@/app/api/_lib/answer';
import { readJson } from '@/app/api/_lib/read-body';
import { handle } from '@/app/api/_lib/route';
import { createKey, keyInput } from '@/lib/services/key/create-key';

/** Makes a key of `?project=`. The answer holds the whole key: the only time anybody sees it. */
export function POST(request: Request): Promise<Response> {
  return handle(request, 'key.manage', async (ctx) => {
    const { requestId } = ctx;
    const input = keyInput.safeParse(await readJson(request));
    if (!input.success) {
      return answerProblem('invalid_request', {
        requestId,
        detail: 'Send {"name", "scope": ingest | read | operate}.',
      });
    }
    const created = await createKey(ctx, input.data);
    if (!created.ok) {
      return answerProblem(created.refusal === 'forbidden' ? 'forbidden' : 'invalid_request', { requestId });
    }
    const headers = { 'cache-control': 'private, no-store', 'x-request-id': requestId };
    return Response.json(created.value, { status: 201, headers });
  });
}
