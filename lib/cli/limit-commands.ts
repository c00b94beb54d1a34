import { limitKey } from '@/lib/services/key/limit-key';
import { limitProject } from '@/lib/services/project/limit-project';
import { CommandFailure } from './command-failure';
import { commandContext, findProject } from './manage-commands';
import type { Terminal } from './terminal';
import { withDatabase } from './with-database';

/** `default` and `none` take a limit back. */
function readLimit(text: string, none: string): number | null {
  if (text === none) return null;
  const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value) || value > 2_147_483_647) {
    throw new CommandFailure('invalid_input', `A limit is a whole number above 0, or ${none}.`);
  }
  return value;
}

export async function limitKeyCommand(
  terminal: Terminal,
  keyId: string,
  options: { project: string; eventsPerSecond: string },
): Promise<void> {
  const wanted = readLimit(options.eventsPerSecond, 'default');
  await withDatabase(async (db) => {
    const { project } = await findProject(db, options.project);
    const done = await limitKey({ db, project, ...commandContext() }, keyId, wanted);
    if (!done.ok)
      throw new CommandFailure(done.refusal, `Project ${project.slug} has no such key, or takes no such rate.`);
    terminal.result(done.value, `${keyId}: ${wanted === null ? 'the default rate' : `${wanted} events a second`}`);
  });
}

export async function limitProjectCommand(
  terminal: Terminal,
  name: string,
  options: { dailyEvents: string },
): Promise<void> {
  const wanted = readLimit(options.dailyEvents, 'none');
  await withDatabase(async (db) => {
    const { project } = await findProject(db, name);
    const done = await limitProject({ db, project, ...commandContext() }, wanted);
    if (!done.ok) throw new CommandFailure(done.refusal, `Project ${project.slug} takes no such quota.`);
    const shown = wanted === null ? 'any number of events' : `${wanted} new events a day`;
    terminal.result({ project: project.slug, ...done.value }, `${project.slug}: ${shown}`);
  });
}
