import { expect } from 'vitest';
import { boundMsOf, QUILLHUB_BASE_MS, QUILLHUB_CAP_MS } from '@/lib/core/checks/backoff-bound';
import { findWebhookSchedule } from '@/lib/core/checks/stream/webhook-schedule';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import matrix from '../data/matrix.json';
import { MONTH, operationOf, send, T0, told, type Judge, type Wire } from '../judge';
import { http, quill, READ, type Ruling } from './ruling';

/** Q3, Q16, Q17, Q19 and X16: what only many operations, or many deliveries, show. */

/** Every check that found something, over all operations. */
async function checksOver(judge: Judge, events: readonly Wire[]): Promise<Set<string>> {
  const operations = await judge.evaluate(events, T0 + MONTH);
  return new Set(operations.flatMap(({ findings }) => findings.map(({ check }) => check)));
}

/** `clients` operations that fail and retry; each gap is a share of what `boundOf` allows at its step. */
function retrying(
  clients: number,
  steps: number,
  gapOf: (client: number, step: number) => number,
  fields: Wire,
): Wire[] {
  return Array.from({ length: clients }, (_client, client) => {
    let at = client * 600_000;
    return Array.from({ length: steps + 1 }, (_step, step) => {
      if (step > 0) at += 100 + gapOf(client, step - 1);
      return { ...send(step + 1, at, { ...READ, status: 500, ...fields }), operationId: `client-${client}` };
    });
  }).flat();
}

const CLIENTS = 40;
const share = (client: number): number => (client + 0.5) / CLIENTS;
const bound = (step: number): number => boundMsOf(step, QUILLHUB_BASE_MS, QUILLHUB_CAP_MS);

const deliveries = (gapsMs: readonly number[], status = 500, event = 'transcription.completed'): Wire[] => {
  let at = 5_000;
  return [0, ...gapsMs].map((gap) => {
    at += gap;
    return told('webhook_delivery', at, { operationId: undefined, jobId: 'j', event, status });
  });
};
const accepted = send(1, 0, quill({ status: 201, jobId: 'j', idempotency: { key: 'k' } }));
const gapsMs = matrix.quillhub.webhook.gaps_s.map((seconds) => seconds * 1_000);

async function schedule(judge: Judge, events: Wire[]): Promise<unknown[]> {
  const { findings } = await operationOf(judge, [accepted, ...events]);
  return findings.filter(({ check }) => check === 'webhook_schedule').map(({ evidence }) => evidence.kind);
}

export const STREAM_RULINGS: readonly Ruling[] = [
  {
    id: 'Q3',
    says: 'the waits of five retries are bounded by 1, 2, 4, 8 and 16 s; 30 s only after more',
    holds: async (judge) => {
      const { retries, listed_s, delays_used_by_code_s } = matrix.quillhub.backoff;
      expect(Array.from({ length: retries }, (_, step) => bound(step) / 1_000)).toEqual(delays_used_by_code_s);
      expect(listed_s.map((_, step) => bound(step) / 1_000)).toEqual(listed_s);
      expect(bound(20)).toBe(30_000);
      const spread = retrying(CLIENTS, 5, (client, step) => Math.round(share(client) * bound(step)), quill());
      expect(await checksOver(judge, spread)).not.toContain('backoff_shape');
      const flat = retrying(CLIENTS, 5, (client) => Math.round(share(client) * 30_000), quill());
      expect(await checksOver(judge, flat)).toContain('backoff_shape');
    },
  },
  {
    id: 'Q16',
    says: 'deliveries made to us on a fixed table are no retries without jitter',
    holds: async (judge) => {
      const inbound = Array.from({ length: CLIENTS }, (_, client) => ({
        ...accepted,
        operationId: `client-${client}`,
        jobId: `job-${client}`,
      }));
      const table = inbound.flatMap(({ jobId }) => deliveries(gapsMs).map((event) => ({ ...event, jobId })));
      expect(await checksOver(judge, [...inbound, ...table])).not.toContain('no_jitter');
      const outbound = retrying(CLIENTS, 1, () => 1_000, quill());
      expect(await checksOver(judge, outbound)).toContain('no_jitter');
    },
  },
  {
    id: 'Q17',
    says: 'one event per job and type, however often it is delivered',
    holds: async (judge) => {
      const repeated = deliveries(gapsMs);
      expect(await operationOf(judge, [accepted, ...repeated])).toMatchObject({
        state: 'succeeded',
        possibleEffects: 1,
      });
      expect(await schedule(judge, repeated)).toEqual([]);
      const other = deliveries([60_000], 500, 'transcription.failed').map((event) => ({
        ...event,
        startedAt: (event.startedAt as number) + 7_000,
      }));
      expect(await schedule(judge, [...deliveries([60_000]), ...other])).toEqual([]);
      expect(await schedule(judge, deliveries([60_000], 200))).toEqual(['after_success']);
    },
  },
  {
    id: 'Q19',
    says: 'the table names gaps, with a tolerance of a fifth; a setting reads it as offsets',
    holds: async (judge) => {
      expect(await schedule(judge, deliveries(gapsMs.map((gap) => gap * 1.2)))).toEqual([]);
      expect(await schedule(judge, deliveries(gapsMs.map((gap) => gap * 0.8)))).toEqual([]);
      expect(await schedule(judge, deliveries([60_000 * 1.21]))).toEqual(['off_schedule']);
      const offsets = [60_000, 240_000];
      expect(await schedule(judge, deliveries(offsets.map((gap) => gap - 1)))).toEqual(['off_schedule']);
      const facts = deliveries(offsets).map((event, at) => ({ id: `d${at}`, environment: 'production', ...event }));
      const window = { from: T0, to: T0 + MONTH };
      const [byGaps, byOffsets] = [0, 1].map((webhookByOffsetsSwitch) =>
        findWebhookSchedule.find({
          window,
          sends: [],
          facts: { refreshes: [], fixes: [], jobs: [], tallies: [], deliveries: facts as never },
          settings: { ...DEFAULT_SETTINGS, webhookByOffsetsSwitch, webhookToleranceShare: 0.1 },
        }),
      );
      expect([byGaps?.length, byOffsets?.length]).toEqual([1, 0]);
    },
  },
  {
    id: 'X16',
    says: 'full jitter is asked of quillhub, or where it was declared; elsewhere only that there is some',
    holds: async (judge) => {
      const half = (client: number, step: number) => Math.round((0.5 + share(client) / 2) * bound(step));
      const policy = { baseMs: 1_000, capMs: 30_000 };
      expect(await checksOver(judge, retrying(CLIENTS, 2, half, quill()))).toContain('no_jitter');
      expect(await checksOver(judge, retrying(CLIENTS, 2, half, http({ policy })))).not.toContain('no_jitter');
      const declared = http({ policy: { ...policy, jitter: 'full' } });
      expect(await checksOver(judge, retrying(CLIENTS, 2, half, declared))).toContain('no_jitter');
      const tenth = (client: number, step: number) => Math.round((0.9 + share(client) / 5) * bound(step));
      expect(await checksOver(judge, retrying(CLIENTS, 2, tenth, http({ policy })))).toContain('no_jitter');
    },
  },
];
