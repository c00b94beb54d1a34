import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { countEffects } from './lab-run';
import type { LabServer } from './lab-server';

const SCRIPT = fileURLToPath(new URL('./dying-client.ts', import.meta.url));

/** The dying client gives its write so long, ms: after that it is taken for dead. */
export const DYING_DEADLINE_MS = 2_000;

/**
 * Spawns a client, waits until its start is known to Readback and its request has had its effect, and kills it.
 * @param service under whose name it reports
 */
export async function killMidWrite(
  readback: { url: string; key: string },
  target: LabServer,
  operationId: string,
  service: string,
): Promise<void> {
  const args = ['--import', 'tsx', SCRIPT, readback.url, readback.key, `${target.url}/things`, operationId, service];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await once(child.stdout, 'data');
  while (countEffects(target, operationId) === 0) await sleep(20);
  child.kill('SIGKILL');
  await gone;
}
