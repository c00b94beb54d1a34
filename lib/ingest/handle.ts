import type { KeyScope } from '@/lib/auth/key';
import { problemResponse } from '@/lib/http/problem-response';
import type { PlainRequest, PlainResponse } from '@/lib/http/request';
import { describeFault } from '@/lib/platform/database-fault';
import type { ProblemCode } from '@/lib/platform/problem';
import { handleClassify } from './handle-classify';
import { handleEvaluate } from './handle-evaluate';
import { handleEvents } from './handle-events';
import { takeRequest, type IngestDeps, type Refusal, type Taken } from './request-context';

interface Route {
  scopes: readonly KeyScope[];
  /** Does it store events? */
  stores: boolean;
  handle: (request: PlainRequest, taken: Taken, deps: IngestDeps) => PlainResponse | Promise<PlainResponse>;
}

/** What ingestion answers itself; everything else is the dashboard's. */
const ROUTES: Readonly<Record<string, Route>> = {
  '/api/v1/events': { scopes: ['ingest'], stores: true, handle: handleEvents },
  '/api/v1/classify': { scopes: ['ingest', 'read', 'operate'], stores: false, handle: handleClassify },
  '/api/v1/operations/evaluate': { scopes: ['read', 'operate'], stores: false, handle: handleEvaluate },
};

const ALLOW = 'POST, OPTIONS';

export function isIngestPath(path: string): boolean {
  return Object.hasOwn(ROUTES, path);
}

/** Answers one request of ingestion's own paths. Never throws, and never 500 for a known fault. */
export async function handleIngest(request: PlainRequest, deps: IngestDeps): Promise<PlainResponse> {
  const answer = await answerRequest(request, deps);
  const { answers } = deps.open;
  answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
  return answer;
}

async function answerRequest(request: PlainRequest, deps: IngestDeps): Promise<PlainResponse> {
  const { requestId } = request;
  const route = ROUTES[request.path];
  if (!route) return problemResponse('not_found', { requestId });
  // Without a CORS header: our keys must not work from a browser's page.
  if (request.method === 'OPTIONS') return { status: 204, headers: { allow: ALLOW }, body: null };
  if (request.method !== 'POST') return problemResponse('method_not_allowed', { requestId, headers: { allow: ALLOW } });
  const { open } = deps;
  if (open.requests >= open.requestsMax) return problemResponse('overloaded', { requestId });
  const lease = deps.budget.lease();
  open.requests += 1;
  try {
    const taken = await takeRequest(request, deps, { scopes: route.scopes, stores: route.stores, lease });
    if (!taken.ok) return refuse(taken.refusal, requestId);
    const answer = await route.handle(request, taken.value, deps);
    // The answer was made for this request: its headers are nobody else's.
    Object.assign(answer.headers, taken.value.limitHeaders);
    return answer;
  } catch (error) {
    const { kind, code, retryAfterSeconds, sqlState } = describeFault(error);
    if (kind === 'defect' || kind === 'data') {
      deps.log.error({ err: error, requestId, path: request.path }, 'request failed');
      return problemResponse('internal_error', { requestId });
    }
    deps.log.warn({ sqlState, requestId, path: request.path }, 'request refused');
    return problemResponse(code, { requestId, retryAfterSeconds });
  } finally {
    open.requests -= 1;
    lease.release();
  }
}

const DETAILS: Partial<Record<ProblemCode, string>> = {
  unsupported_media_type: 'Send application/json or application/x-ndjson.',
};

function refuse({ code, retryAfterSeconds, limitHeaders }: Refusal, requestId: string): PlainResponse {
  const headers: Record<string, string> = { ...limitHeaders };
  if (code === 'unsupported_content_encoding') headers['accept-encoding'] = 'gzip, br, deflate';
  return problemResponse(code, { requestId, headers, retryAfterSeconds, detail: DETAILS[code] });
}
