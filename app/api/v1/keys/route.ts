import { answerProblem, answerView } from '@/app/api/_lib/answer';
import { readJson } from '@/app/api/_lib/read-body';
import { QueryReader } from '@/app/api/_lib/read-query';
import { handle, RequestError } from '@/app/api/_lib/route';
import { listKeys } from '@/lib/queries/keys';
import { createKey, keyInput } from '@/lib/services/key/create-key';

export function GET(request: Request): Promise<Response> {
  return handle(request, 'key.read', async (ctx) => {
    new QueryReader(request).end();
    return answerView({ items: await listKeys(ctx) }, ctx.requestId);
  });
}

/** `{keyId, name, scope, text}`: the only time the whole key is ever told. */
export function POST(request: Request): Promise<Response> {
  return handle(request, 'key.manage', async (ctx) => {
    const input = keyInput.safeParse(await readJson(request));
    if (!input.success) {
      const errors = input.error.issues.map((issue) => ({
        pointer: `/${issue.path.join('/')}`,
        code: 'invalid_request' as const,
        detail: issue.message,
      }));
      throw new RequestError('invalid_request', 'The key can not be made like this.', errors);
    }
    const made = await createKey(ctx, input.data);
    if (made.ok) return answerView(made.value, ctx.requestId, 201);
    return answerProblem(made.refusal === 'forbidden' ? 'forbidden' : 'invalid_request', ctx);
  });
}
