import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { classifyEvents } from '@/lib/ingest/handle-classify';
import { evaluateAll } from '@/lib/ingest/handle-evaluate';
import { readEvents } from '@/lib/ingest/read-events';
import { send, T0, told, type Wire } from '../../cases/judge';

/** No body that passes validation makes a verdict or a conclusion throw, and none takes for ever. */

const SECRET = new Uint8Array(32);
const PROJECT = {
  profiles: { defaultProfile: 'http' as const, targets: [] },
  settings: DEFAULT_SETTINGS,
  ruleSets: {},
};

const junk = fc.oneof(
  fc.anything({ maxDepth: 3 }),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.constantFrom('', ' ', '\u0000', '__proto__', 'constructor', '9'.repeat(400), 'ENOTFOUND', 'BITRIX_TIMEOUT', null),
);
const memberName = fc.constantFrom(
  ...'kind call method target profile outcome status statusOrigin code b24Code message firstStatus retryAfter'.split(
    ' ',
  ),
  ...'retryAfterBody dateHeader headers bodyErrors bodySummary error abortBy idempotency fingerprint jobId'.split(' '),
  ...'policy reason batch items endedAt headersAt startedAt attempt amount attributes sdk credential scope'.split(' '),
);
const sent: fc.Arbitrary<Wire> = fc
  .record({ number: fc.integer({ min: 1, max: 5 }), at: fc.nat(100_000), more: fc.dictionary(memberName, junk) })
  .map(({ number, at, more }) => send(number, at, more));
const said: fc.Arbitrary<Wire> = fc
  .record({
    type: fc.constantFrom('readback', 'closed', 'job_result', 'auth_refresh', 'cause_fixed', 'attempt_started'),
    at: fc.nat(200_000),
    more: fc.dictionary(fc.constantFrom('result', 'criterion', 'entityIds', 'jobId', 'ok', 'code', 'credential'), junk),
  })
  .map(({ type, at, more }) => told(type, at, more));

describe('whatever is sent', { timeout: 60_000 }, () => {
  it('is judged or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: sent }, said, junk), { maxLength: 8 }), (values) => {
        const raws = values.map((value, index) => ({ index, value }));
        const results = classifyEvents(raws, PROJECT, SECRET, { ruleSet: null, explain: 'ru' });
        expect(new Set(results.map(({ index }) => index))).toEqual(new Set(raws.map(({ index }) => index)));
        const { facts } = readEvents(raws, { hashSecret: SECRET, profiles: PROJECT.profiles });
        const evaluated = evaluateAll(
          facts.map(({ fact }) => fact),
          PROJECT,
          T0 + 86_400_000,
        );
        expect(JSON.stringify(evaluated)).not.toMatch(/NaN|Infinity/);
      }),
      { numRuns: 600 },
    );
  });

  it('ends in time for five thousand tries of one operation', () => {
    const lost = { profile: 'vibecode', status: 504, code: 'BITRIX_TIMEOUT' };
    const values = Array.from({ length: 4_900 }, (_, at) => send(at + 1, at * 1_000, lost));
    const looks = Array.from({ length: 50 }, (_, at) =>
      told('readback', at * 90_000, { result: 'absent', criterion: 'unique' }),
    );
    const jobs = Array.from({ length: 50 }, (_, at) =>
      told('job_result', at * 90_000, { jobId: `j${at}`, result: 'failed' }),
    );
    const raws = [...values, ...looks, ...jobs].map((value, index) => ({ index, value }));
    const { facts } = readEvents(raws, { hashSecret: SECRET, profiles: PROJECT.profiles });
    const started = performance.now();
    evaluateAll(
      facts.map(({ fact }) => fact),
      PROJECT,
      T0 + 30 * 86_400_000,
    );
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
