import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client';
import { project } from '../../db/schema';
import type { Actor, AuthorizedProject } from '../core/project';
import { toAuthorizedProject } from './authorize';

/** Our own jobs and the command line at the machine itself: they are let into every project. */

export const SYSTEM_ACTOR: Actor = { type: 'system', id: 'system', name: 'Readback' };

export interface SystemProject {
  project: AuthorizedProject;
  hashSecret: Buffer;
}

/** Lets a job into the project of a row it has read. */
export function authorizeSystem(row: typeof project.$inferSelect): SystemProject {
  return { project: toAuthorizedProject(row), hashSecret: row.hashSecret };
}

/** The project for a job or a command by its slug; null when there is none. */
export async function loadProject(db: Database, slug: string): Promise<SystemProject | null> {
  const [row] = await db.orm.select().from(project).where(eq(project.slug, slug)).limit(1);
  return row ? authorizeSystem(row) : null;
}
