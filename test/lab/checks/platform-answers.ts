import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../lab-server';
import type { CheckScenario, ExpectedFinding } from './check-scenario';
import { askedMs, sendByAxios, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { OK, once, refused, vibecodeRead, type Answer } from './platform-kit';
import { atLeast } from './ranges';

/** What a platform answers and delivers against its own word, and load that does not give way. */

const LANES = 3;

/** Calls at once meet a full queue; after the asked wait as many come at once, or one by one. */
async function overflow(kit: Kit, oneByOne: boolean): Promise<void> {
  const slow: Answer = { ...refused('QUEUE_OVERFLOW', 503, 1), lateMs: 150 };
  let turn: Promise<unknown> = Promise.resolve();
  const send = async (at: number): Promise<void> => {
    const answer: Step = { do: 'answer', status: 200, work: false, lateMs: 150 };
    const ask = vibecodeRead(kit, `op${at}`, [slow, answer]);
    let release: () => void = () => undefined;
    await sendByHand(kit, ask, {
      sendsMax: 2,
      waitMs: async (seen) => {
        const wait = (askedMs(seen) ?? 0) + 20;
        if (!oneByOne) return wait;
        const before = turn;
        turn = new Promise<void>((resolve) => (release = resolve));
        await Promise.all([before, sleep(wait)]);
        return 1;
      },
    });
    release();
  };
  await Promise.all(Array.from({ length: LANES }, (_, at) => send(at)));
}

async function answerOnce(kit: Kit, step: Step): Promise<void> {
  await sendByAxios(kit, vibecodeRead(kit, 'op', [step, OK]), {
    retry: { retries: 1, retryDelay: (count) => 1_050 * count },
  });
}

function anomaly(...anomalies: string[]): readonly ExpectedFinding[] {
  return [{ attempt: 1, severity: 'low', evidence: { anomalies } }];
}

const ANSWERS: CheckScenario[] = [
  {
    check: 'contract_anomaly',
    title: 'A wait where none is announced',
    client: 'axios',
    flawed: (kit) => answerOnce(kit, refused('BH_APP_TIMEOUT', 504, 1)),
    sound: (kit) => answerOnce(kit, refused('BH_APP_TIMEOUT', 504)),
    found: anomaly('retry_after_where_none_is_announced'),
  },
  {
    check: 'contract_anomaly',
    title: 'A promised wait that is missing',
    client: 'axios',
    flawed: (kit) => answerOnce(kit, refused('QUEUE_TIMEOUT', 504)),
    sound: (kit) => answerOnce(kit, refused('QUEUE_TIMEOUT', 504, 1)),
    found: anomaly('retry_after_missing'),
  },
  {
    check: 'contract_anomaly',
    title: 'A code that no page lists',
    client: 'axios',
    flawed: (kit) => answerOnce(kit, refused('FLUX_LOST', 500)),
    sound: (kit) => answerOnce(kit, refused('DB_TRANSIENT', 500, 1)),
    found: anomaly('unknown_code'),
  },
];

const LOAD: CheckScenario = {
  check: 'contract_anomaly',
  title: 'As many calls at once after an overflow',
  client: 'fetch',
  flawed: (kit) => overflow(kit, false),
  sound: (kit) => overflow(kit, true),
  found: [
    {
      operation: null,
      attempt: 1,
      severity: 'low',
      evidence: { anomalies: ['load_unchanged_after_overflow'], code: 'QUEUE_OVERFLOW', before: atLeast(2) },
    },
  ],
};

/** A receiver of deliveries: what came, when, and what it answered. */
async function receive(kit: Kit, jobId: string, deliver: (url: string) => Promise<void>): Promise<void> {
  const receiver = createServer((request, response) => {
    const startedAt = Date.now();
    request.resume().once('end', () => {
      response.writeHead(200).end();
      kit.reporter.report({
        type: 'webhook_delivery',
        jobId,
        event: 'transcription.completed',
        startedAt,
        status: 200,
      });
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await deliver(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
  receiver.closeAllConnections();
  await new Promise<void>((resolve) => receiver.close(() => resolve()));
}

/** Submits a job; the platform tells of its end as often as `times` says. */
async function runJob(kit: Kit, times: number): Promise<void> {
  const jobId = `job-${kit.name}`;
  const ask: Ask = {
    operationId: kit.operation('op', [{ do: 'answer', status: 202, work: true, body: JSON.stringify({ id: jobId }) }]),
    kind: 'write',
    profile: 'quillhub',
    key: jobId,
    keyMode: 'client_dedupe',
  };
  await sendByHand(kit, ask, { ...once, envelope: (body) => ({ jobId: (body as { id: string }).id }) });
  await receive(kit, jobId, async (url) => {
    for (let delivery = 1; delivery <= times; delivery += 1) {
      await (await fetch(url, { method: 'POST', body: '{}' })).text();
      await sleep(80);
    }
  });
}

const DELIVERIES: CheckScenario = {
  check: 'webhook_schedule',
  title: 'Told again of what was taken',
  client: 'fetch',
  flawed: (kit) => runJob(kit, 2),
  sound: (kit) => runJob(kit, 1),
  found: [{ severity: 'low', evidence: { kind: 'after_success', delivery: 2, takenAs: 1, status: 200 } }],
};

export const PLATFORM_ANSWERS: readonly CheckScenario[] = [...ANSWERS, LOAD, DELIVERIES];
