import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { KEY_SCOPES, type KeyScope } from '@/lib/auth/key';
import { PROFILES, type Profile } from '@/lib/core/attempt';
import { ROLES } from '@/lib/core/permission';
import { EnvError } from '@/lib/platform/env';
import { PlainError } from '@/lib/platform/plain-error';
import { classifyCommand, type ClassifyCommandOptions } from './classify-command';
import { CommandFailure, EXIT } from './command-failure';
import { demoDataCommand, type DemoDataOptions } from './demo-data-command';
import { doctorCommand } from './doctor-command';
import { limitKeyCommand, limitProjectCommand } from './limit-commands';
import {
  createKeyCommand,
  createProjectCommand,
  createUserCommand,
  type KeyOptions,
  type UserOptions,
} from './manage-commands';
import { migrateCommand } from './migrate-command';
import { pruneCommand, type PruneOptions } from './prune-command';
import { recomputeCommand, type RecomputeOptions } from './recompute-command';
import { recountCommand, type RecountOptions } from './recount-command';
import { sendCommand, type SendOptions } from './send-command';
import { createTerminal, type Terminal } from './terminal';

/**
 * `readback …`
 * @param argv arguments after the program's name
 * @returns exit code: 0 done, 1 refused or wrong, 2 the command line itself, 3 not now, safe to repeat
 */
export async function runCli(argv: string[]): Promise<number> {
  const program = buildProgram();
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return fail(error, argv.includes('--json'));
  }
}

function fail(error: unknown, json: boolean): number {
  const known = error instanceof CommandFailure || error instanceof PlainError || error instanceof EnvError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(known ? `${message}\n` : `The command stopped because of a defect: ${message}\n`);
  const code = error instanceof CommandFailure ? error.code : known ? 'environment' : 'defect';
  // Commands that have given their result already say the rest by exit code.
  if (json && !GIVEN.has(code)) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
}

const GIVEN = new Set([
  'events_rejected',
  'drift_found',
  'validation_failed',
  'unhealthy',
  'recompute_failed',
  'cancelled',
]);

function buildProgram(): Command {
  const program = new Command('readback')
    .description(
      'Which retries were safe, which writes nobody can vouch for, and who waited as long as they were told.',
    )
    .option('--json', 'one JSON document on stdout, for scripts')
    .exitOverride()
    .showHelpAfterError();
  const terminal = (): Terminal => createTerminal(program.opts<{ json?: boolean }>().json === true);
  addManagement(program, terminal);
  addEvents(program, terminal);
  addUpkeep(program, terminal);
  return program;
}

function addManagement(program: Command, terminal: () => Terminal): void {
  const project = program.command('project').description('projects');
  project
    .command('create <name>')
    .description('make a project; prints its address')
    .addOption(
      new Option('--profile <profile>', 'rules its clients follow by default').choices(PROFILES).default('vibecode'),
    )
    .action((name: string, options: { profile: Profile }) => createProjectCommand(terminal(), name, options.profile));
  program
    .command('user')
    .description('people')
    .command('create')
    .description('make a person who can sign in; without --project, an owner of the installation')
    .requiredOption('--email <email>')
    .addOption(new Option('--role <role>').choices(ROLES).makeOptionMandatory())
    .option('--project <name>', 'name or address of the project')
    .option('--name <name>', 'as others see it')
    .requiredOption('--password-stdin', 'read the password from standard input')
    .action((options: UserOptions) => createUserCommand(terminal(), options));
  const key = program.command('key').description('keys of the API');
  key
    .command('create')
    .description('make a key; prints it once, alone on stdout')
    .requiredOption('--project <name>', 'name or address of the project')
    .addOption(new Option('--scope <scope>').choices(KEY_SCOPES).makeOptionMandatory())
    .option('--name <name>', 'what it is for')
    .action((options: KeyOptions & { scope: KeyScope }) => createKeyCommand(terminal(), options));
  addLimits(project, key, terminal);
}

function addLimits(project: Command, key: Command, terminal: () => Terminal): void {
  project
    .command('limit <name>')
    .description('how many new events a day (UTC) a project takes')
    .requiredOption('--daily-events <number>', 'a whole number, or none')
    .action((name: string, options: { dailyEvents: string }) => limitProjectCommand(terminal(), name, options));
  key
    .command('limit <keyId>')
    .description('how many events a second a key may send through one process')
    .requiredOption('--project <name>', 'name or address of the project')
    .requiredOption('--events-per-second <number>', 'a whole number, or default')
    .action((keyId: string, options: { project: string; eventsPerSecond: string }) =>
      limitKeyCommand(terminal(), keyId, options),
    );
}

function addEvents(program: Command, terminal: () => Terminal): void {
  program
    .command('classify <file>')
    .description('verdicts for the events of a file, - for standard input; needs no server')
    .addOption(
      new Option('--profile <profile>', 'rules of events that name none').choices(PROFILES).default('vibecode'),
    )
    .option('--rule-set <name>', 'an edition, e.g. vibecode@2026-10-22')
    .addOption(new Option('--explain [language]', 'say why').choices(['en', 'ru']).preset('en'))
    .action((file: string, options: ClassifyCommandOptions) => classifyCommand(terminal(), file, options));
  program
    .command('send <file>')
    .description('send events of a file, - for standard input; JSON or NDJSON, safe to repeat')
    .requiredOption('--url <url>', 'where Readback listens, e.g. http://localhost:3000')
    .requiredOption('--key <key>', 'an ingest key')
    .option('--patience <seconds>', 'how long to go on when the server asks to wait', parseSeconds, 120)
    .action((file: string, options: SendOptions) => sendCommand(terminal(), file, options));
}

function addUpkeep(program: Command, terminal: () => Terminal): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(() => migrateCommand(terminal()));
  program
    .command('doctor')
    .description('look at everything a start depends on')
    .action(() => doctorCommand(terminal()));
  program
    .command('recompute')
    .description('conclude stored operations again by the rules and settings of now; safe to stop and to repeat')
    .requiredOption('--project <name>', 'name or address of the project')
    .option('--from <instant>', 'operations that began then or later: a day, or ISO 8601 with an offset', parseInstant)
    .option('--to <instant>', 'and before then', parseInstant)
    .action((options: RecomputeOptions) => recomputeCommand(terminal(), options));
  program
    .command('prune')
    .description('remove what projects keep no longer, as the worker does every minute; safe to stop and to repeat')
    .option('--project <name>', 'name or address of one project; all without it')
    .option('--dry-run', 'count what would go, and remove nothing')
    .action((options: PruneOptions) => pruneCommand(terminal(), options));
  program
    .command('recount')
    .description('compare rollups with a count over the rows they sum up; changes nothing')
    .requiredOption('--project <name>', 'name or address of the project')
    .option('--from <instant>', 'from that hour on: a day, or ISO 8601 with an offset', parseInstant)
    .option('--to <instant>', 'and before then', parseInstant)
    .action((options: RecountOptions) => recountCommand(terminal(), options));
  program
    .command('demo-data')
    .description('load the demo week into a running Readback; safe to repeat')
    .option('--url <url>', 'where Readback listens', 'http://localhost:3000')
    .option('--scale <share>', 'share of the full traffic', parseShare, 1)
    .action((options: DemoDataOptions) => demoDataCommand(terminal(), options));
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds < 0) throw new InvalidArgumentError('It is a number of seconds.');
  return seconds;
}

/** A day is its first moment in UTC. */
function parseInstant(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const at = day || instant ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('It is a day (2026-11-30), or ISO 8601 with an offset.');
  return at;
}

function parseShare(text: string): number {
  const share = Number(text);
  if (!(share > 0 && share <= 10)) throw new InvalidArgumentError('It is a number above 0, 1 for all of it.');
  return share;
}
