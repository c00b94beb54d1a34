import { describe, expect, it } from 'vitest';
import { currentRuleSet } from '@/lib/core/rules/index';
import { GATES, type Gate } from '@/lib/core/verdict';
import matrix from '../data/matrix.json';
import type { JudgeOf } from '../judge';
import { judgeBy, KINDS } from './judge-by';

/** Every code × kind × edition of cases/matrix.json, its defaults and what it says of kinds. */
const ACTIONS: Record<string, string> = {
  'retry safe': 'retry_with_limit',
  'retry safe after fixing cause': 'fix_before_retry',
  'read back first': 'state_verification_required',
  'do not retry automatically': 'do_not_retry',
  'not applicable': 'not_applicable',
};

const GATE_WORDS: Record<string, (asked: boolean) => Gate | null> = {
  wait_retry_after: (asked) => (asked ? 'wait' : 'backoff'),
  wait_retry_after_strict: (asked) => (asked ? 'wait' : 'backoff'),
  wait_recommended_or_backoff: (asked) => (asked ? 'wait' : 'backoff'),
  bounded_backoff_with_jitter: () => 'backoff',
  human_or_new_operation: () => 'human',
  read_back: () => 'read_back',
  fix_cause: () => 'fix_cause',
  fix_auth: () => 'fix_auth',
  reduce_concurrency: () => null,
  jitter: () => null,
  anomaly: () => null,
  // Without firstStatus the branch is the read-back.
  branch_on_first_status: () => 'read_back',
};

function expectedGates(words: string[], asked: boolean): Gate[] {
  const gates = new Set(words.map((word) => GATE_WORDS[word]?.(asked)));
  return GATES.filter((gate) => gates.has(gate));
}

export function describeVibecode(judgeOf: JudgeOf): void {
  const judge = judgeBy(judgeOf);
  describe('vibecode codes', () => {
    for (const row of matrix.vibecode.codes) {
      for (const kind of KINDS) {
        for (const asked of [false, true]) {
          it(`${row.code} ${kind}${asked ? ' with Retry-After' : ''}`, async () => {
            const got = await judge('vibecode@2026-10-22', {
              kind,
              status: 500,
              code: row.code,
              retryAfter: asked ? ['5'] : undefined,
            });
            expect(got.rule).toBe(row.code);
            expect(got.code).toBe(row.code);
            expect(got.action).toBe(ACTIONS[row[kind]]);
            expect(got.classifier).toBe(row.classifier[kind]);
            const faithful = kind === 'read' ? row.faithful_read : row.faithful_write;
            expect(got.gates).toEqual(expectedGates(faithful.gate, asked));
            expect(got.effect).toBe(kind === 'read' ? 'none' : row.effect_of_this_attempt);
            expect(got.wait.strict).toBe(row.retry_after === 'strict');
            if (got.action !== 'not_applicable') expect(got.reached).toBe(row.delivered);
            expect(got.flags.includes('unknown_code')).toBe(false);
          });
        }
        it(`${row.code} ${kind}, older edition`, async () => {
          const got = await judge('vibecode@older-ru', { kind, status: 500, code: row.code });
          expect(got.classifier).toBe(row.classifier_ru_edition[kind]);
          expect(got.rule).toBe(row.in_ru_edition ? row.code : 'DEFAULT');
          expect(got.flags.includes('unknown_code')).toBe(!row.in_ru_edition);
          if (row.in_ru_edition) expect(got.action).toBe(ACTIONS[row[kind]]);
          else expect(got.action).toBe(row.classifier_ru_edition[kind]);
        });
      }
      it(`${row.code} says its condition in both languages`, () => {
        const rule = currentRuleSet('vibecode')
          .rows.filter(({ id, stage }) => id === row.code && stage === 'code')
          .at(-1);
        expect(rule?.condition).toEqual({ en: row.condition_en, ru: row.condition_ru });
      });
    }

    it.each([200, 204])('AGENT_WRITE_ALREADY_EXECUTED with firstStatus %i is done', async (firstStatus) => {
      const got = await judge('vibecode', { kind: 'write', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus });
      expect(got).toMatchObject({ action: 'none', effect: 'applied', unknownOutcome: false, gates: [] });
    });
    it.each([
      [null, false],
      [500, true],
      [undefined, true],
    ])('AGENT_WRITE_ALREADY_EXECUTED with firstStatus %s is read back', async (firstStatus, undocumented) => {
      const got = await judge('vibecode', { kind: 'write', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus });
      expect(got).toMatchObject({ action: 'state_verification_required', effect: 'none', unknownOutcome: true });
      expect(got.flags.includes('not_covered')).toBe(undocumented);
    });

    for (const kind of KINDS) {
      it(`defaults for ${kind}`, async () => {
        const { unknown_code, network_error_without_envelope } = matrix.vibecode.defaults;
        expect(await judge('vibecode', { kind, status: 500, code: 'NEVER_SEEN' })).toMatchObject({
          action: unknown_code[kind],
          classifier: unknown_code[kind],
          flags: ['unknown_code'],
        });
        const refused = { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' };
        expect(await judge('vibecode', { kind, error: refused })).toMatchObject({
          action: network_error_without_envelope[kind],
          effect: kind === 'read' ? 'none' : 'possible',
          flags: ['preflight'],
          code: 'ECONNREFUSED',
        });
      });
    }
    for (const { code } of matrix.vibecode.other_known_codes) {
      it(`${code} keeps the default, with the advice to fix first on a read`, async () => {
        const got = await judge('vibecode', { kind: 'read', status: 400, code });
        expect(got.action).toBe('retry_with_limit');
        expect(got.flags).toContain('advice_fix_first');
        expect((await judge('vibecode', { kind: 'write', status: 400, code })).action).toBe(
          'state_verification_required',
        );
      });
    }
  });
  describe('operation kind', () => {
    for (const [call, kind] of Object.entries(matrix.vibecode.operation_kind.entity_api)) {
      it(`${call} is a ${kind}`, async () => {
        const got = await judge('vibecode', { kind: undefined, call, status: 500, code: 'BITRIX_TIMEOUT' });
        expect(got.unknownOutcome).toBe(kind === 'write');
      });
    }
    for (const [action, kind] of Object.entries(matrix.vibecode.operation_kind.batch_action)) {
      it(`batch action ${action} is a ${kind}`, async () => {
        const got = await judge('vibecode', { call: action, code: 'BITRIX_TIMEOUT' });
        expect(got.unknownOutcome).toBe(kind === 'write');
      });
    }
    const { write, read } = matrix.vibecode.operation_kind.rest_suffix;
    for (const profile of ['vibecode', 'bitrix_rest'] as const) {
      it.each([...write, 'set', 'register', 'import'])(`${profile}: crm.x.%s is a write`, async (word) => {
        expect((await judge(profile, { call: `crm.x.${word}`, method: 'GET' })).effect).toBe('possible');
      });
      it.each(read)(`${profile}: crm.x.%s is a read`, async (word) => {
        expect((await judge(profile, { call: `crm.x.${word}`, method: 'POST' })).effect).toBe('none');
      });
    }
  });
}
