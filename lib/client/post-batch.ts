import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);

/** Below this a compressed body is hardly smaller. */
const GZIP_FROM_BYTES = 1024;

export interface PostOptions {
  url: string;
  key: string;
  gzip: boolean;
  requestTimeoutMs: number;
  fetch: typeof fetch;
}

/** What the server said of one event it did not take. */
export interface Rejection {
  index: number;
  pointer: string;
  code: string;
  detail: string;
}

export interface Receipt {
  accepted: number;
  duplicates: number;
  conflicts: number;
  rejected: Rejection[];
}

export type PostResult =
  | { kind: 'stored'; receipt: Receipt }
  | { kind: 'too_large' }
  /** Nothing of it will ever be taken as it is. */
  | { kind: 'refused'; status: number; rejected: Rejection[] }
  /** The key is not (or no longer) good: keep the events, ask again slowly. */
  | { kind: 'unauthorized'; status: number }
  | { kind: 'again'; status: number | null; retryAfterMs: number | null };

interface AnswerBody {
  accepted?: number;
  duplicates?: number;
  conflicts?: number[];
  rejected?: Rejection[];
}

/** Whole seconds only: that is what Readback sends. Anything else is no advice. */
export function readRetryAfterMs(header: string | null): number | null {
  if (header === null || !/^\d{1,9}$/.test(header.trim())) return null;
  return Number(header.trim()) * 1000;
}

async function readAnswer(response: Response): Promise<AnswerBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

async function judgeAnswer(response: Response): Promise<PostResult> {
  const { status } = response;
  const body = await readAnswer(response);
  if (status === 202) {
    const receipt = {
      accepted: body.accepted ?? 0,
      duplicates: body.duplicates ?? 0,
      conflicts: body.conflicts?.length ?? 0,
      rejected: body.rejected ?? [],
    };
    return { kind: 'stored', receipt };
  }
  if (status === 413) return { kind: 'too_large' };
  if (status === 401 || status === 403) return { kind: 'unauthorized', status };
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'again', status, retryAfterMs: readRetryAfterMs(response.headers.get('retry-after')) };
  }
  return { kind: 'refused', status, rejected: body.rejected ?? [] };
}

/**
 * Sends lines once as NDJSON. Never throws: every way to fail is a result, and `again` is always safe to repeat,
 * since the events' ids alone decide what counts.
 */
export async function postBatch(lines: string[], options: PostOptions): Promise<PostResult> {
  const text = lines.join('\n');
  const headers: Record<string, string> = {
    authorization: `Bearer ${options.key}`,
    'content-type': 'application/x-ndjson',
  };
  let body: Uint8Array<ArrayBuffer> | string = text;
  if (options.gzip && text.length >= GZIP_FROM_BYTES) {
    body = new Uint8Array(await gzipAsync(text));
    headers['content-encoding'] = 'gzip';
  }
  try {
    const signal = AbortSignal.timeout(options.requestTimeoutMs);
    const response = await options.fetch(options.url, { method: 'POST', headers, body, signal });
    return await judgeAnswer(response);
  } catch {
    return { kind: 'again', status: null, retryAfterMs: null };
  }
}
