import type { Database } from '@/db/client';
import { authorizeKey, type AuthorizedKey } from '@/lib/auth/authorize-key';
import type { KeyScope } from '@/lib/auth/key';
import { ok, refuse, type Result } from '@/lib/core/result';
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

/** What every handler works with. */
export interface IngestDeps {
  db: Database;
  log: Logger;
  clock: Clock;
  commit: GroupCommit;
  /** Bounds the bodies of all requests together. */
  budget: ByteBudget;
}

export interface Taken {
  key: AuthorizedKey;
  body: DecodedBody;
}

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

/** Cheap checks first: type, encoding, key, announced length; then the body, bounded while it comes. */
export async function takeRequest(
  request: PlainRequest,
  deps: IngestDeps,
  scopes: readonly KeyScope[],
  lease: ByteLease,
): Promise<Result<Taken, ProblemCode>> {
  const format = parseContentType(request.header('content-type'));
  if (!format) return refuse('unsupported_media_type');
  const encoding = parseContentEncoding(request.header('content-encoding'));
  if (!encoding) return refuse('unsupported_content_encoding');
  const key = await takeKey(request, deps, scopes);
  if (!key.ok) return key;
  if (Number(request.header('content-length') ?? 0) > BODY_BYTES_MAX) return refuse('payload_too_large');
  const text = await readBody(request.body, {
    encoding,
    bytesMax: BODY_BYTES_MAX,
    lines: format !== 'json',
    lease,
  });
  if (!text.ok) return text;
  const body = format === 'json' ? decodeJson(text.value) : decodeNdjson(text.value);
  return body.ok ? ok({ key: key.value, body: body.value }) : body;
}
