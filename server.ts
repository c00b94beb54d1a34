/** The process: database → migrations → listener → dashboard → jobs; graceful stop. Started by bin/start.mjs. */
import { describeFault } from '@/lib/platform/database-fault';
import { EnvError } from '@/lib/platform/env';
import { createLog } from '@/lib/platform/log';
import { PlainError } from '@/lib/platform/plain-error';
import { runService, type RunningService } from '@/lib/runtime/run-service';

/** Everything must be over by then: who supervises us was promised ten seconds. */
const STOP_DEADLINE_MS = 9_500;

let stopping = false;
let starting: Promise<RunningService> | undefined;

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(code), STOP_DEADLINE_MS).unref();
  try {
    // Asked to end while still starting: what is half up (a database, above all) has to be stopped too.
    const service = await starting?.catch(() => undefined);
    await service?.stop();
  } finally {
    process.exit(code);
  }
}

function fail(error: unknown): void {
  const known = error instanceof PlainError || error instanceof EnvError;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(known ? `${text}\n` : `Readback stopped because of a defect: ${text}\n`);
  void stop(1);
}

async function main(): Promise<void> {
  const demo = process.argv.includes('--demo');
  starting = runService({ demo });
  const service = await starting;
  await service.webReady;
  if (stopping) return;
  console.log(`Readback runs at ${service.url}`);
  process.send?.({ url: service.url, setupPath: service.setupPath });
  if (service.setupPath) console.log(`Create the owner (works once): ${service.url}${service.setupPath}`);
  if (demo) service.startDemo();
}

process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
// Started by a program with a channel (tests, scripts): nobody is left to stop us when it is gone.
process.on('disconnect', () => void stop(0));
/** The driver loses a connection in places where no promise of ours can catch it; the next statement opens another. */
function isLostConnection(error: unknown): boolean {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const unwritable = error instanceof TypeError && /\(reading 'write'\)/.test(stack) && stack.includes('postgres');
  return unwritable || describeFault(error).kind === 'away';
}

function failUnlessLost(error: unknown): void {
  if (starting === undefined || !isLostConnection(error)) return fail(error);
  process.stderr.write('A database connection was lost.\n');
}

process.on('uncaughtException', failUnlessLost);
// Nobody waited for it, so nobody depends on it: it is a defect to be seen, and no reason to drop what others sent.
process.on('unhandledRejection', (error) => createLog('error').error({ err: error }, 'a failure nobody waited for'));
main().catch(fail);
