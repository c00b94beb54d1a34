import type { Database } from '@/db/client';
import { authorizeKey, type AuthorizedKey } from '@/lib/auth/authorize-key';
import type { KeyScope } from '@/lib/auth/key';
import { refuse, type Result } from '@/lib/core/result';
import type { ByteBudget, ByteLease } from '@/lib/http/byte-budget';
import { parseContentEncoding, parseContentType } from '@/lib/http/content';
import { BODY_BYTES_MAX, readBody } from '@/lib/http/read-body';
import type { PlainRequest } from '@/lib/http/request';
import type { Clock } from '@/lib/platform/clock';
import type { Logger } from '@/lib/platform/log';
import type { ProblemCode } from '@/lib/platform/problem';
import { decodeJson, type DecodedBody } from './decode-json';
import { decodeNdjson } from './decode-ndjson';
import type { GroupCommit } from './group-commit';
import type { RequestLimits } from './request-limits';

/** What every handler works with. */
export interface IngestDeps {
  db: Database;
  log: Logger;
  clock: Clock;
  commit: GroupCommit;
  /** Bounds the bodies of all requests together. */
  budget: ByteBudget;
  limits: RequestLimits;
  /** Requests that are being read or answered, surplus is refused at once; and answers since the start, by status. */
  open: { requests: number; requestsMax: number; answers: Map<number, number> };
}

export interface Taken {
  key: AuthorizedKey;
  body: DecodedBody;
  /** Of the request's deadline, gone while its key was looked up. */
  waitedMs: number;
  /** What the answer says of the key's limits. */
  limitHeaders: Record<string, string>;
}

export interface Refusal {
  code: ProblemCode;
  retryAfterSeconds?: number;
  limitHeaders?: Record<string, string>;
}

export type Taking = { ok: true; value: Taken } | { ok: false; refusal: Refusal };

export interface TakeOptions {
  scopes: readonly KeyScope[];
  /** Does the request store events, so that the project's quota counts? */
  stores: boolean;
  lease: ByteLease;
}

const refused = (code: ProblemCode, limitHeaders?: Record<string, string>): Taking => ({
  ok: false,
  refusal: { code, limitHeaders },
});

/** `Authorization` alone carries the key; a second, different one is a mistake or an attack. */
async function takeKey(
  request: PlainRequest,
  deps: IngestDeps,
  scopes: readonly KeyScope[],
): Promise<Result<AuthorizedKey, ProblemCode>> {
  const [header, ...others] = request.headerValues('authorization');
  if (others.some((other) => other !== header)) return refuse('ambiguous_credentials');
  const apiKey = request.header('x-api-key');
  if (header !== undefined && apiKey !== undefined && header.replace(/^bearer +/i, '').trim() !== apiKey.trim())
    return refuse('ambiguous_credentials');
  return await authorizeKey(deps.db, header, scopes, deps.clock());
}

/** Cheap checks first: type, encoding, key, rate, announced length; then the body, bounded while it comes. */
export async function takeRequest(request: PlainRequest, deps: IngestDeps, options: TakeOptions): Promise<Taking> {
  const format = parseContentType(request.header('content-type'));
  if (!format) return refused('unsupported_media_type');
  const encoding = parseContentEncoding(request.header('content-encoding'));
  if (!encoding) return refused('unsupported_content_encoding');
  const startedAt = performance.now();
  const found = await takeKey(request, deps, options.scopes);
  if (!found.ok) return refused(found.refusal);
  const key = found.value;
  const admitted = deps.limits.admit(key, options.stores);
  const { refusal, headers } = admitted instanceof Promise ? await admitted : admitted;
  const waitedMs = performance.now() - startedAt;
  if (refusal) return { ok: false, refusal: { ...refusal, limitHeaders: headers } };
  if (Number(request.header('content-length') ?? 0) > BODY_BYTES_MAX) return refused('payload_too_large', headers);
  const text = await readBody(request.body, {
    encoding,
    bytesMax: BODY_BYTES_MAX,
    lines: format !== 'json',
    lease: options.lease,
  });
  if (!text.ok) return refused(text.refusal, headers);
  const body = format === 'json' ? decodeJson(text.value) : decodeNdjson(text.value);
  if (!body.ok) return refused(body.refusal, headers);
  deps.limits.charge(key, body.value.count);
  return { ok: true, value: { key, body: body.value, waitedMs, limitHeaders: headers } };
}
