import { randomUUID } from 'node:crypto';
import { eq, or } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { project as projectTable } from '@/db/schema';
import { authorizeSystem, type SystemProject } from '@/lib/auth/authorize-system';
import type { KeyScope } from '@/lib/auth/key';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@/lib/auth/password';
import type { Profile } from '@/lib/core/attempt';
import type { Role } from '@/lib/core/permission';
import type { Actor } from '@/lib/core/project';
import { createKey } from '@/lib/services/key/create-key';
import { createProject } from '@/lib/services/project/create-project';
import { createUser, type CreateUserRefusal } from '@/lib/services/user/create-user';
import { CommandFailure } from './command-failure';
import { readInput } from './read-input';
import type { Terminal } from './terminal';
import { withDatabase } from './with-database';

/** Who may run the command line has the machine and the database: it acts as the installation itself. */
const ACTOR: Actor = { type: 'system', id: 'command-line', name: 'Command line' };

export const commandContext = () => ({
  actor: ACTOR,
  installationOwner: true,
  role: 'owner' as const,
  now: Date.now(),
  requestId: randomUUID(),
});

/** A project by its slug or its exact name. */
export async function findProject(db: Database, name: string): Promise<SystemProject> {
  const rows = await db.orm
    .select()
    .from(projectTable)
    .where(or(eq(projectTable.slug, name), eq(projectTable.name, name)))
    .limit(2);
  const row = rows.find((found) => found.slug === name) ?? rows[0];
  if (!row) throw new CommandFailure('project_not_found', `There is no project ${name}.`);
  return authorizeSystem(row);
}

export async function createProjectCommand(terminal: Terminal, name: string, profile: Profile): Promise<void> {
  await withDatabase(async (db) => {
    const made = await createProject({ db, ...commandContext() }, { name, profile });
    if (!made.ok) {
      const reasons = {
        forbidden: 'This may not be done here.',
        invalid_input: 'A project needs a name of 1 to 100 characters.',
        name_taken: `There is already a project ${name}.`,
      };
      throw new CommandFailure(made.refusal, reasons[made.refusal]);
    }
    const { slug } = made.value.project;
    terminal.result({ slug, name: made.value.project.name, profile }, slug);
  });
}

export interface UserOptions {
  email: string;
  role: Role;
  project?: string;
  name?: string;
}

export async function createUserCommand(terminal: Terminal, options: UserOptions): Promise<void> {
  const password = (await readInput('-')).replace(/\r?\n$/, '');
  await withDatabase(async (db) => {
    const project = options.project === undefined ? null : (await findProject(db, options.project)).project;
    const { email, role, name } = options;
    const made = await createUser({ db, ...commandContext(), project }, { email, role, name, password });
    if (!made.ok) throw new CommandFailure(made.refusal, USER_REFUSALS[made.refusal]);
    const place = project ? `${role} of ${project.slug}` : 'owner of the installation';
    terminal.result(
      { id: made.value.id, email: made.value.email, role, project: project?.slug ?? null },
      `${made.value.email}: ${place}`,
    );
  });
}

const USER_REFUSALS: Record<CreateUserRefusal, string> = {
  forbidden: 'This may not be done here.',
  invalid_email: 'This is no e-mail address.',
  invalid_password: `A password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`,
  invalid_input: 'A name has 1 to 100 characters.',
  project_needed: 'Without --project only --role owner makes sense: it administers the installation.',
  email_taken: 'Somebody with this e-mail already exists.',
};

export interface KeyOptions {
  project: string;
  scope: KeyScope;
  name?: string;
}

export async function createKeyCommand(terminal: Terminal, options: KeyOptions): Promise<void> {
  await withDatabase(async (db) => {
    const { project } = await findProject(db, options.project);
    const name = options.name ?? `${options.scope} key`;
    const made = await createKey({ db, project, ...commandContext() }, { name, scope: options.scope });
    if (!made.ok) throw new CommandFailure(made.refusal, 'A key needs a name of 1 to 100 characters.');
    const { text, keyId, scope } = made.value;
    terminal.note('Keep it now: it is not shown again.');
    terminal.result({ key: text, keyId, scope, project: project.slug }, text);
  });
}
