import { setTimeout as sleep } from 'node:timers/promises';
import { DYING_DEADLINE_MS, killMidWrite } from '../kill-mid-write';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { readBack, SETTLED_MS } from './read-back';

/** A process that is killed in the middle of a write, and what does its work after the restart. */

const DONE: Step = { do: 'answer', status: 201, work: true };

async function dieAndStartAgain(kit: Kit, looks: boolean): Promise<void> {
  const ask: Ask = { operationId: kit.operation('op', [{ do: 'hang', work: true }, DONE]), kind: 'write' };
  await killMidWrite(kit.readback, kit.server, ask.operationId, kit.name);
  if (looks) {
    // What was cut may still be under way until its deadline; only then does a look prove anything.
    await sleep(DYING_DEADLINE_MS + SETTLED_MS);
    if (await readBack(kit, ask)) return;
  }
  // The new process begins to count from one.
  await sendByHand(kit, ask, { sendsMax: 1, waitMs: () => null });
}

export const RESTARTS: readonly CheckScenario[] = [
  {
    check: 'blind_write_retry',
    title: 'Killed in the middle of a write, and begun anew',
    client: 'fetch',
    flawed: (kit) => dieAndStartAgain(kit, false),
    sound: (kit) => dieAndStartAgain(kit, true),
    found: [{ attempt: 1, severity: 'high', evidence: { grade: 'blind', doubtfulAttempt: 1 } }],
    also: ['duplicate_suspected', 'amplification'],
    state: 'succeeded_with_possible_duplicates',
  },
];
