import { randomUUID } from 'node:crypto';
import { headers } from 'next/headers';
import { forbidden, notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import type { Database } from '../../db/client';
import type { Permission, Role } from '../core/permission';
import type { Actor, AuthorizedProject } from '../core/project';
import { may } from '../core/permission';
import { ok, type Result } from '../core/result';
import type { Locale } from '../core/locale';
import { authorizePerson } from './authorize';
import { checkSameOrigin, type CrossSiteRefusal } from './csrf';
import { getPreferences } from './preferences';
import { getSession, type SignedInPerson } from './session';
import { getWebRuntime } from './web-runtime';

/** What a page of a project works with. Fits wherever a `QueryContext` is asked for. */
export interface PageContext {
  db: Database;
  project: AuthorizedProject;
  actor: Actor;
  role: Role;
  person: SignedInPerson;
  /** Epoch ms, the same for every part of one render. */
  now: number;
  requestId: string;
  locale: Locale;
  /** The viewer's zone, an IANA name. */
  tz: string;
}

export function toActor(person: SignedInPerson): Actor {
  return { type: 'user', id: person.userId, name: person.name };
}

/** Once a request: layout and page ask the same question. */
export const findPerson = cache(async (): Promise<SignedInPerson | null> => {
  const session = await getSession(getWebRuntime().auth, new Headers(await headers()));
  return session.ok ? session.value : null;
});

/** The signed-in person, or off to the sign-in page and back here afterwards. */
export async function requirePerson(returnTo: string): Promise<SignedInPerson> {
  const person = await findPerson();
  return person ?? redirect(`/login?next=${encodeURIComponent(returnTo)}`);
}

const loadProject = cache(async (slug: string) => {
  const person = await requirePerson(`/p/${slug}/overview`);
  const found = await authorizePerson(getWebRuntime().db, person, slug, 'read');
  if (!found.ok) notFound();
  return { person, ...found.value, now: getWebRuntime().clock(), requestId: randomUUID() };
});

/**
 * Lets a page into a project, or answers for it: sign-in, 404 for a project that isn't the person's,
 * 403 for one that is but not for this role. Every page calls it itself: a layout is no lock.
 */
export async function requirePage(slug: string, permission: Permission): Promise<PageContext> {
  const { person, project, role, now, requestId } = await loadProject(slug);
  if (!may(role, permission)) forbidden();
  const { locale, zone } = await getPreferences();
  return { db: getWebRuntime().db, project, actor: toActor(person), role, person, now, requestId, locale, tz: zone };
}

/** For route handlers: who sent this request by cookie, with unsafe methods from our own pages only. */
export async function authenticateRequest(
  request: Request,
): Promise<Result<{ person: SignedInPerson; actor: Actor }, 'no_session' | CrossSiteRefusal>> {
  const { auth } = getWebRuntime();
  const session = await getSession(auth, request.headers);
  if (!session.ok) return session;
  const sameOrigin = checkSameOrigin(request, auth.origins);
  if (!sameOrigin.ok) return sameOrigin;
  return ok({ person: session.value, actor: toActor(session.value) });
}
