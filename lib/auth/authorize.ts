import { and, eq } from 'drizzle-orm';
import type { Database } from '../../db/client';
import { member, project } from '../../db/schema';
import type { Profile } from '../core/attempt';
import { DEFAULT_SETTINGS } from '../core/operation';
import { may, type Permission, type Role } from '../core/permission';
import type { AuthorizedProject } from '../core/project';
import { ok, refuse, type Result } from '../core/result';

type ProjectRow = typeof project.$inferSelect;

/** The only place that makes an `AuthorizedProject`; call it after the person, key or job was let in. */
export function toAuthorizedProject(row: ProjectRow): AuthorizedProject {
  const authorized = {
    id: row.id,
    slug: row.slug,
    name: row.name,
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    profiles: { defaultProfile: row.defaultProfile as Profile, targets: row.targets },
    ruleSets: row.ruleSets,
  };
  return authorized as AuthorizedProject;
}

/** A signed-in person, as far as access needs it. */
export interface Person {
  userId: string;
  installationOwner: boolean;
}

/**
 * Lets a person into one project.
 * `not_found` for a project that is not theirs too: nobody learns which names exist.
 */
export async function authorizePerson(
  db: Database,
  person: Person,
  slug: string,
  permission: Permission,
): Promise<Result<{ project: AuthorizedProject; role: Role }, 'not_found' | 'forbidden'>> {
  const [found] = await db.orm
    .select({ project, role: member.role })
    .from(project)
    .leftJoin(member, and(eq(member.projectId, project.id), eq(member.userId, person.userId)))
    .where(eq(project.slug, slug))
    .limit(1);
  if (!found) return refuse('not_found');
  const role: Role | null = person.installationOwner ? 'owner' : (found.role as Role | null);
  if (!role) return refuse('not_found');
  if (!may(role, permission)) return refuse('forbidden');
  return ok({ project: toAuthorizedProject(found.project), role });
}

/** Projects that a person may open, by name. */
export async function listPersonProjects(
  db: Database,
  person: Person,
): Promise<{ slug: string; name: string; role: Role }[]> {
  const rows = await db.orm
    .select({ slug: project.slug, name: project.name, role: member.role })
    .from(project)
    .leftJoin(member, and(eq(member.projectId, project.id), eq(member.userId, person.userId)))
    .orderBy(project.name, project.id);
  return rows.flatMap((row) => {
    const role = person.installationOwner ? 'owner' : (row.role as Role | null);
    return role ? [{ slug: row.slug, name: row.name, role }] : [];
  });
}
