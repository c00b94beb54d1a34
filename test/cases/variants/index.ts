import { describe, expect, it } from 'vitest';
import { MONTH, operationOf, T0, verdictOf, type JudgeOf } from '../judge';
import { BATCH_VARIANTS } from './batches';
import { KEY_VARIANTS, SETTLING_VARIANTS, STICKY_VARIANTS } from './histories';
import { REPAIR_VARIANTS, SHARED_KEY_VARIANTS } from './shared-keys';
import { NESTED_ERROR_VARIANTS, PLATFORM_CODE_VARIANTS, STATUS_VARIANTS } from './verdicts';
import { WAIT_VARIANTS } from './waits';

/** Cases of the kinds handed over, derived from the documents before they were run. */
export function describeVariants(judgeOf: JudgeOf): void {
  describe.each([
    ['platform codes under odd statuses', PLATFORM_CODE_VARIANTS],
    ['statuses and bodies', STATUS_VARIANTS],
    ['nested errors', NESTED_ERROR_VARIANTS],
  ])('%s', (_group, rows) => {
    it.each(rows)('%s', async (_name, fields, expected) => {
      expect(await verdictOf(judgeOf(), fields)).toMatchObject(expected);
    });
  });

  describe('forms of the asked wait', () => {
    const read = { profile: 'http', kind: 'read', method: 'GET', status: 429, startedAt: T0, endedAt: T0 + 100 };
    it.each(WAIT_VARIANTS)('%s', async (_name, fields, expected) => {
      expect((await verdictOf(judgeOf(), { ...read, ...fields })).wait).toMatchObject(expected);
    });
  });

  describe.each([
    ['a doubt is sticky', STICKY_VARIANTS],
    ['keys', KEY_VARIANTS],
    ['keys of several operations', SHARED_KEY_VARIANTS],
    ['repairs', REPAIR_VARIANTS],
    ['what settles', SETTLING_VARIANTS],
  ])('%s', (_group, rows) => {
    it.each(rows)('$name', async ({ events, state, effects, has = [], not = [], asOfMs }) => {
      const operation = await operationOf(judgeOf(), events, asOfMs);
      expect({ state: operation.state, effects: operation.possibleEffects }).toEqual({ state, effects });
      const found = [
        ...operation.findings.map(({ check }) => check),
        ...operation.attempts.flatMap(({ verdict }) => verdict.flags),
      ];
      expect(found).toEqual(expect.arrayContaining(has));
      expect(found.filter((check) => not.includes(check))).toEqual([]);
    });
  });

  describe('batches', () => {
    it.each(BATCH_VARIANTS)('$name', async ({ events, states, has = [], not = [] }) => {
      const operations = await judgeOf().evaluate(events, T0 + MONTH);
      expect(Object.fromEntries(operations.map(({ operationId, state }) => [operationId, state]))).toEqual(states);
      const found = operations.flatMap(({ findings, attempts }) => [
        ...findings.map(({ check }) => check),
        ...attempts.flatMap(({ verdict }) => verdict.flags as string[]),
      ]);
      expect(found).toEqual(expect.arrayContaining(has));
      expect(found.filter((check) => not.includes(check))).toEqual([]);
    });
  });
}
