import type { KeyScope } from '@/lib/auth/key';
import { problemResponse } from '@/lib/http/problem-response';
import type { PlainRequest, PlainResponse } from '@/lib/http/request';
import { describeFault } from '@/lib/platform/database-fault';
import { handleClassify } from './handle-classify';
import { handleEvaluate } from './handle-evaluate';
import { handleEvents } from './handle-events';
import { takeRequest, type IngestDeps, type Taken } from './request-context';

interface Route {
  scopes: readonly KeyScope[];
  handle: (request: PlainRequest, taken: Taken, deps: IngestDeps) => PlainResponse | Promise<PlainResponse>;
}

/** What ingestion answers itself; everything else is the dashboard's. */
const ROUTES: Readonly<Record<string, Route>> = {
  '/api/v1/events': { scopes: ['ingest'], handle: handleEvents },
  '/api/v1/classify': { scopes: ['ingest', 'read', 'operate'], handle: handleClassify },
  '/api/v1/operations/evaluate': { scopes: ['read', 'operate'], handle: handleEvaluate },
};

const ALLOW = 'POST, OPTIONS';

export function isIngestPath(path: string): boolean {
  return Object.hasOwn(ROUTES, path);
}

/** Answers one request of ingestion's own paths. Never throws, and never 500 for a known fault. */
export async function handleIngest(request: PlainRequest, deps: IngestDeps): Promise<PlainResponse> {
  const { requestId } = request;
  const route = ROUTES[request.path];
  if (!route) return problemResponse('not_found', { requestId });
  // Without a CORS header: our keys must not work from a browser's page.
  if (request.method === 'OPTIONS') return { status: 204, headers: { allow: ALLOW }, body: null };
  if (request.method !== 'POST') return problemResponse('method_not_allowed', { requestId, headers: { allow: ALLOW } });
  const lease = deps.budget.lease();
  try {
    const taken = await takeRequest(request, deps, route.scopes, lease);
    if (!taken.ok) return refuse(taken.refusal, requestId);
    return await route.handle(request, taken.value, deps);
  } catch (error) {
    const { kind, code, retryAfterSeconds, sqlState } = describeFault(error);
    if (kind === 'defect' || kind === 'data') {
      deps.log.error({ err: error, requestId, path: request.path }, 'request failed');
      return problemResponse('internal_error', { requestId });
    }
    deps.log.warn({ sqlState, requestId, path: request.path }, 'request refused');
    return problemResponse(code, { requestId, retryAfterSeconds });
  } finally {
    lease.release();
  }
}

function refuse(code: Parameters<typeof problemResponse>[0], requestId: string): PlainResponse {
  const headers = code === 'unsupported_content_encoding' ? { 'accept-encoding': 'gzip, br, deflate' } : undefined;
  const detail = code === 'unsupported_media_type' ? 'Send application/json or application/x-ndjson.' : undefined;
  // The lists of the other 422 answers, for a body that is no event, no array and no {"events": […]}.
  if (code === 'validation_failed') {
    const text = 'The body must be an event, an array of events, or {"events": […]}.';
    const rejected = [{ index: 0, pointer: '', code, detail: text }];
    const none = { accepted: 0, duplicates: 0, conflicts: [], sanitized: 0, ignoredFields: 0, redacted: 0 };
    return problemResponse(code, { requestId, detail: text, errors: rejected, extra: { ...none, rejected } });
  }
  return problemResponse(code, { requestId, headers, detail });
}
