import { authorizePerson } from '@/lib/auth/authorize';
import { authorizeKey } from '@/lib/auth/authorize-key';
import { authenticateRequest } from '@/lib/auth/context';
import type { KeyScope } from '@/lib/auth/key';
import { getWebRuntime, type WebRuntime } from '@/lib/auth/web-runtime';
import { may, type Permission, type Role } from '@/lib/core/permission';
import type { Actor, AuthorizedProject } from '@/lib/core/project';
import { ok, refuse, type Result } from '@/lib/core/result';
import type { ProblemCode } from '@/lib/platform/problem';

/** Fits where a read model or a verb asks for its context. */
export interface ApiContext {
  db: WebRuntime['db'];
  project: AuthorizedProject;
  actor: Actor;
  role: Role;
  /** Epoch ms. */
  now: number;
  requestId: string;
}

/** What a key may do is what its scope's role may. An ingest key reads nothing. */
const ROLE_OF_SCOPE: Readonly<Record<KeyScope, Role | null>> = { ingest: null, read: 'viewer', operate: 'operator' };

/**
 * Lets a request into one project: by key when an `Authorization` header is there, else by session and `?project=`.
 * A project that isn't the caller's answers as one that never was.
 */
export async function openContext(
  request: Request,
  permission: Permission,
  requestId: string,
): Promise<Result<ApiContext, ProblemCode>> {
  const slug = new URL(request.url).searchParams.get('project');
  const header = request.headers.get('authorization');
  return header === null
    ? openBySession(request, slug, permission, requestId)
    : openByKey(header, slug, permission, requestId);
}

async function openByKey(
  header: string,
  slug: string | null,
  permission: Permission,
  requestId: string,
): Promise<Result<ApiContext, ProblemCode>> {
  const { db, clock } = getWebRuntime();
  const key = await authorizeKey(db, header, ['read', 'operate'], clock());
  if (!key.ok) return key;
  const { project, scope, actor } = key.value;
  if (slug !== null && slug !== project.slug) return refuse('not_found');
  const role = ROLE_OF_SCOPE[scope];
  if (role === null || !may(role, permission)) return refuse('wrong_scope');
  return ok({ db, project, actor, role, now: clock(), requestId });
}

async function openBySession(
  request: Request,
  slug: string | null,
  permission: Permission,
  requestId: string,
): Promise<Result<ApiContext, ProblemCode>> {
  const { db, clock } = getWebRuntime();
  const signedIn = await authenticateRequest(request);
  if (!signedIn.ok) {
    if (signedIn.refusal === 'no_session') return refuse('missing_credentials');
    return refuse(signedIn.refusal === 'cross_origin' ? 'csrf_refused' : 'unsupported_media_type');
  }
  if (slug === null) return refuse('invalid_request');
  const found = await authorizePerson(db, signedIn.value.person, slug, permission);
  if (!found.ok) return found;
  return ok({ db, ...found.value, actor: signedIn.value.actor, now: clock(), requestId });
}
