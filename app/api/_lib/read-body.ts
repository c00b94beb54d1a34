import { isDeeperThan } from '@/lib/http/json-depth';
import { RequestError } from './route';

const BODY_BYTES_MAX = 64 * 1024;
const DEPTH_MAX = 16;

/** A small JSON body. An empty one is `{}`. @throws RequestError 400, 413, 415 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new RequestError('unsupported_media_type', 'Send application/json.');
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) return {};
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError('invalid_encoding', 'The body is not UTF-8.');
  }
  if (isDeeperThan(text, DEPTH_MAX)) throw new RequestError('too_deep', 'The body is nested too deep.');
  try {
    return JSON.parse(text, keepable) as unknown;
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError('invalid_json', 'The body is not JSON.');
  }
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair: U+FFFD stands for them in values, in names they are refused. */
function keepable(name: string, value: unknown): unknown {
  if (toKeepable(name) !== name)
    throw new RequestError('invalid_request', 'A name holds NUL or half a surrogate pair.');
  return typeof value === 'string' ? toKeepable(value) : value;
}

function toKeepable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '\uFFFD');
}

async function readBytes(request: Request): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return Buffer.concat(parts);
    bytes += part.value.byteLength;
    if (bytes > BODY_BYTES_MAX) {
      await reader?.cancel();
      throw new RequestError('payload_too_large', 'This endpoint takes at most 64 KiB.');
    }
    parts.push(part.value);
  }
}
