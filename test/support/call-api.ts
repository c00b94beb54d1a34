import { GET as getChoices } from '@/app/api/v1/choices/route';
import { GET as listCodes } from '@/app/api/v1/codes/route';
import { GET as getCode } from '@/app/api/v1/codes/[code]/route';
import { GET as getCompliance } from '@/app/api/v1/compliance/route';
import { GET as listFindings } from '@/app/api/v1/findings/route';
import { GET as countFindings } from '@/app/api/v1/findings/counts/route';
import { GET as getScorecard } from '@/app/api/v1/findings/scorecard/route';
import { GET as listOperations } from '@/app/api/v1/operations/route';
import { GET as getOperation } from '@/app/api/v1/operations/[operationId]/route';
import { GET as getOverview } from '@/app/api/v1/overview/route';
import { GET as getRates } from '@/app/api/v1/rates/route';
import { GET as listReview } from '@/app/api/v1/review/route';
import { GET as getReviewSummary } from '@/app/api/v1/review/summary/route';
import { POST as takeNext } from '@/app/api/v1/review/next/route';
import { GET as getReviewItem } from '@/app/api/v1/review/[id]/route';
import { POST as actOnItem } from '@/app/api/v1/review/[id]/[verb]/route';
import { ORIGIN } from './web';

/** Route handlers by path, as Next would find them; the last segments are their parameters. */
export const READ_ROUTES = {
  '/api/v1/choices': getChoices,
  '/api/v1/codes': listCodes,
  '/api/v1/compliance': getCompliance,
  '/api/v1/findings': listFindings,
  '/api/v1/findings/counts': countFindings,
  '/api/v1/findings/scorecard': getScorecard,
  '/api/v1/operations': listOperations,
  '/api/v1/overview': getOverview,
  '/api/v1/rates': getRates,
  '/api/v1/review': listReview,
  '/api/v1/review/summary': getReviewSummary,
} as const;

export interface Caller {
  /** A whole key, or null for a session. */
  key?: string;
  cookie?: string;
  /** `?project=` of a session. */
  slug?: string;
  headers?: Record<string, string>;
}

function requestOf(path: string, caller: Caller, body?: unknown): Request {
  const url = new URL(path, ORIGIN);
  if (caller.slug !== undefined) url.searchParams.set('project', caller.slug);
  const headers = new Headers(caller.headers);
  if (body !== undefined) headers.set('content-type', headers.get('content-type') ?? 'application/json');
  if (caller.key !== undefined) headers.set('authorization', `Bearer ${caller.key}`);
  if (caller.cookie !== undefined) {
    headers.set('cookie', caller.cookie);
    headers.set('origin', headers.get('origin') ?? ORIGIN);
    headers.set('sec-fetch-site', headers.get('sec-fetch-site') ?? 'same-origin');
  }
  return new Request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** GET of any read route. */
export function callRead(path: string, caller: Caller): Promise<Response> {
  const request = requestOf(path, caller);
  const { pathname } = new URL(request.url);
  const [, kind, id] = /^\/api\/v1\/(operations|codes|review)\/(.+)$/.exec(pathname) ?? [];
  const value = decodeURIComponent(id ?? '');
  if (kind === 'operations') return getOperation(request, { params: Promise.resolve({ operationId: value }) });
  if (kind === 'codes') return getCode(request, { params: Promise.resolve({ code: value }) });
  if (kind === 'review' && value !== 'summary') {
    return getReviewItem(request, { params: Promise.resolve({ id: value }) });
  }
  const route = READ_ROUTES[pathname as keyof typeof READ_ROUTES];
  return route(request);
}

/** POST of a verb on one item. */
export function callVerb(id: string, verb: string, caller: Caller, body: unknown): Promise<Response> {
  return actOnItem(requestOf(`/api/v1/review/${id}/${verb}`, caller, body), { params: Promise.resolve({ id, verb }) });
}

export function callNext(caller: Caller): Promise<Response> {
  return takeNext(requestOf('/api/v1/review/next', caller, {}));
}
