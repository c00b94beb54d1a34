import { randomUUID } from 'node:crypto';
import { problemKind, type ProblemCode } from '@/lib/platform/problem';

const BODY_BYTES_MAX = 16 * 1024;
const PRIVATE = { 'cache-control': 'private, no-store' };

export function answerJson(body: unknown, status = 200, setCookies: string[] = []): Response {
  const answer = Response.json(body, { status, headers: PRIVATE });
  for (const cookie of setCookies) answer.headers.append('set-cookie', cookie);
  return answer;
}

/** RFC 9457. `detail` is ours, never a library's or the database's. */
export function answerProblem(
  code: ProblemCode,
  detail: string,
  options: { retryAfterSeconds?: number; fields?: string[]; status?: number } = {},
): Response {
  const kind = problemKind(code);
  const status = options.status ?? kind.status;
  const body = {
    type: `urn:readback:problem:${code}`,
    title: kind.title,
    status,
    detail,
    code,
    requestId: randomUUID(),
    ...(options.fields
      ? { errors: options.fields.map((field) => ({ pointer: `/${field}`, code: 'validation_failed', detail })) }
      : {}),
  };
  const headers = new Headers({ ...PRIVATE, 'content-type': 'application/problem+json' });
  if (options.retryAfterSeconds !== undefined) headers.set('retry-after', String(options.retryAfterSeconds));
  return new Response(JSON.stringify(body), { status, headers });
}

/** @returns undefined for a body that is too large or not JSON. */
export async function readSmallJson(request: Request): Promise<unknown> {
  const reader = request.body?.getReader();
  if (!reader) return undefined;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > BODY_BYTES_MAX) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
