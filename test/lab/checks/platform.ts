import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { askedMs, envelope, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { OK, once, refused, vibecodeRead } from './platform-kit';
import { atLeast } from './ranges';

/** What one client does to a platform with several operations of its own. */

type Pause = 'TIMEOUT_QUARANTINE' | 'OPERATION_TIME_LIMIT' | 'CALLER_RATE_LIMITED';

/**
 * The first operation is told to pause. The other one is sent while that lasts, or asks the pause first.
 * @param more what the two calls share, or don't, beside their portal
 */
async function readDuringPause(
  kit: Kit,
  code: Pause,
  { heeds, first = {}, other = first }: { heeds: boolean; first?: Partial<Ask>; other?: Partial<Ask> },
): Promise<void> {
  let pausedUntil = 0;
  const asker = sendByHand(kit, vibecodeRead(kit, 'op', [refused(code, 429, 1), OK], first), {
    sendsMax: 2,
    waitMs: (seen) => {
      const wait = (askedMs(seen) ?? 0) + 20;
      pausedUntil = Date.now() + wait;
      return wait;
    },
  });
  while (pausedUntil === 0) await sleep(20);
  await sleep(150);
  if (heeds) await sleep(Math.max(0, pausedUntil - Date.now()));
  await sendByHand(kit, vibecodeRead(kit, 'other', [OK], other), once);
  await asker;
}

/** Orders that all meet the same refusal, tried one after the other. */
async function failAlike(kit: Kit, operations: number, bodyOf: (at: number) => unknown): Promise<void> {
  for (let at = 1; at <= operations; at += 1) {
    const ask = vibecodeRead(kit, `op${at}`, [refused('BITRIX_ERROR', 400)], { body: bodyOf(at) });
    await sendByHand(kit, ask, once);
    await sleep(60);
  }
}

/** The breaker is open; the same request goes on, or the cause is mended first. */
async function feedOpenLoop(kit: Kit, mends: boolean): Promise<void> {
  const body = { list: 'deals' };
  await sendByHand(kit, vibecodeRead(kit, 'op', [refused('ERROR_LOOP_DETECTED', 429)], { body }), once);
  await sleep(100);
  if (mends) {
    kit.reporter.report({ type: 'cause_fixed', code: 'ERROR_LOOP_DETECTED', service: kit.name, startedAt: Date.now() });
    await sleep(50);
  }
  const second: Step = mends ? OK : refused('ERROR_LOOP_DETECTED', 429);
  await sendByHand(kit, vibecodeRead(kit, 'again', [second], { body }), once);
}

/** The platform warns that it has seen this too often. */
async function meetWarning(kit: Kit, warning: string | undefined): Promise<void> {
  const step: Step = { ...refused('BITRIX_ERROR', 400), body: envelope('BITRIX_ERROR', { warning }) };
  await sendByHand(kit, vibecodeRead(kit, 'op', [step]), once);
}

function broken(code: Pause, scope: string): CheckScenario['found'] {
  const evidence = { code, askedAttempt: 1, askedMs: 1_000, earlyMs: atLeast(100), unaware: false, scope };
  return [{ operation: 'other', attempt: 1, severity: 'high', evidence }];
}

const PAUSES: CheckScenario[] = [
  {
    check: 'pause_broken_by_others',
    title: 'A pause that other calls don’t know of',
    client: 'fetch',
    flawed: (kit) => readDuringPause(kit, 'TIMEOUT_QUARANTINE', { heeds: false }),
    sound: (kit) => readDuringPause(kit, 'TIMEOUT_QUARANTINE', { heeds: true }),
    found: broken('TIMEOUT_QUARANTINE', 'scope'),
  },
  {
    check: 'pause_broken_by_others',
    title: 'A method at its time limit called once more',
    client: 'fetch',
    flawed: (kit) => readDuringPause(kit, 'OPERATION_TIME_LIMIT', { heeds: false, first: { call: 'crm.deal.list' } }),
    // Another method of the same portal is free to go.
    sound: (kit) =>
      readDuringPause(kit, 'OPERATION_TIME_LIMIT', {
        heeds: false,
        first: { call: 'crm.deal.list' },
        other: { call: 'crm.contact.list' },
      }),
    found: broken('OPERATION_TIME_LIMIT', 'call'),
  },
  {
    check: 'pause_broken_by_others',
    title: 'A caller at its limit on another portal',
    client: 'fetch',
    // The allowance is the credential's, whichever portal it calls.
    flawed: (kit) =>
      readDuringPause(kit, 'CALLER_RATE_LIMITED', {
        heeds: false,
        first: { credential: `token-of-${kit.name}` },
        other: { credential: `token-of-${kit.name}`, scope: `${kit.name}-portal` },
      }),
    sound: (kit) =>
      readDuringPause(kit, 'CALLER_RATE_LIMITED', {
        heeds: false,
        first: { credential: `token-of-${kit.name}` },
        other: { credential: `second-token-of-${kit.name}` },
      }),
    found: broken('CALLER_RATE_LIMITED', 'credential'),
  },
];

const ALIKE = (): unknown => ({ list: 'deals' });

const LOOPS: CheckScenario[] = [
  {
    check: 'error_loop',
    title: 'The same refusal five times',
    client: 'fetch',
    flawed: (kit) => failAlike(kit, 5, ALIKE),
    sound: (kit) => failAlike(kit, 2, ALIKE),
    found: [
      { operation: 'op5', attempt: 1, severity: 'medium', evidence: { stage: 'forming', count: 5, by: 'request' } },
    ],
  },
  {
    check: 'error_loop',
    title: 'The same refusal for five ids',
    client: 'fetch',
    flawed: (kit) => failAlike(kit, 5, (at) => ({ get: at })),
    sound: (kit) => failAlike(kit, 4, (at) => ({ get: at })),
    found: [{ operation: 'op5', attempt: 1, evidence: { stage: 'forming', count: 5, by: 'call' } }],
  },
  {
    check: 'error_loop',
    title: 'A warning of the breaker',
    client: 'fetch',
    flawed: (kit) => meetWarning(kit, 'The same request has failed 20 times.'),
    sound: (kit) => meetWarning(kit, undefined),
    found: [{ attempt: 1, severity: 'medium', evidence: { stage: 'announced' } }],
  },
  {
    check: 'error_loop',
    title: 'An open breaker fed',
    client: 'fetch',
    flawed: (kit) => feedOpenLoop(kit, false),
    sound: (kit) => feedOpenLoop(kit, true),
    found: [
      { operation: 'again', attempt: 1, severity: 'high', evidence: { stage: 'feeding' } },
      { operation: 'op', attempt: 1, severity: 'medium', evidence: { stage: 'open' } },
    ],
    // That the breaker opened is worth a word however well it was met.
    soundShows: ['error_loop'],
  },
];

export const PLATFORM: readonly CheckScenario[] = [...PAUSES, ...LOOPS];
