import { describe, expect, it } from 'vitest';
import type { Attempt, Kind } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { findRuleSet, listRuleSets } from '@/lib/core/rules/index';
import type { RuleSet } from '@/lib/core/rules/rule';
import { GATES, type Gate, type Verdict } from '@/lib/core/verdict';
import matrix from '../../cases/data/matrix.json';
import { attempt } from './support/event';

/** Every code × kind × edition, scenario, status and network row of cases/matrix.json. */

const KINDS: Kind[] = ['read', 'write'];
const set = (name: string): RuleSet => {
  const found = findRuleSet(name);
  if (!found) throw new Error(`no rule set ${name}`);
  return found;
};
const judge = (name: string, fields: Partial<Attempt>): Verdict => classify(attempt(fields), set(name));

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

describe('vibecode codes', () => {
  for (const row of matrix.vibecode.codes) {
    for (const kind of KINDS) {
      for (const asked of [false, true]) {
        it(`${row.code} ${kind}${asked ? ' with Retry-After' : ''}`, () => {
          const got = judge('vibecode@2026-10-22', {
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
      it(`${row.code} ${kind}, older edition`, () => {
        const got = judge('vibecode@older-ru', { kind, status: 500, code: row.code });
        expect(got.classifier).toBe(row.classifier_ru_edition[kind]);
        expect(got.rule).toBe(row.in_ru_edition ? row.code : 'DEFAULT');
        expect(got.flags.includes('unknown_code')).toBe(!row.in_ru_edition);
        if (row.in_ru_edition) expect(got.action).toBe(ACTIONS[row[kind]]);
        else expect(got.action).toBe(row.classifier_ru_edition[kind]);
      });
    }
    it(`${row.code} says its condition in both languages`, () => {
      const rule = set('vibecode@2026-10-22')
        .rows.filter(({ id, stage }) => id === row.code && stage === 'code')
        .at(-1);
      expect(rule?.condition).toEqual({ en: row.condition_en, ru: row.condition_ru });
    });
  }

  it.each([200, 204])('AGENT_WRITE_ALREADY_EXECUTED with firstStatus %i is done', (firstStatus) => {
    const got = judge('vibecode', { kind: 'write', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus });
    expect(got).toMatchObject({ action: 'none', effect: 'applied', unknownOutcome: false, gates: [] });
  });
  it.each([
    [null, false],
    [500, true],
    [undefined, true],
  ])('AGENT_WRITE_ALREADY_EXECUTED with firstStatus %s is read back', (firstStatus, undocumented) => {
    const got = judge('vibecode', { kind: 'write', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus });
    expect(got).toMatchObject({ action: 'state_verification_required', effect: 'none', unknownOutcome: true });
    expect(got.flags.includes('not_covered')).toBe(undocumented);
  });

  for (const kind of KINDS) {
    it(`defaults for ${kind}`, () => {
      const { unknown_code, network_error_without_envelope } = matrix.vibecode.defaults;
      expect(judge('vibecode', { kind, status: 500, code: 'NEVER_SEEN' })).toMatchObject({
        action: unknown_code[kind],
        classifier: unknown_code[kind],
        flags: ['unknown_code'],
      });
      const refused = { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' };
      expect(judge('vibecode', { kind, error: refused })).toMatchObject({
        action: network_error_without_envelope[kind],
        effect: kind === 'read' ? 'none' : 'possible',
        flags: ['preflight'],
        code: 'ECONNREFUSED',
      });
    });
  }
  for (const { code } of matrix.vibecode.other_known_codes) {
    it(`${code} keeps the default, with the advice to fix first on a read`, () => {
      const got = judge('vibecode', { kind: 'read', status: 400, code });
      expect(got.action).toBe('retry_with_limit');
      expect(got.flags).toContain('advice_fix_first');
      expect(judge('vibecode', { kind: 'write', status: 400, code }).action).toBe('state_verification_required');
    });
  }
});

describe('operation kind', () => {
  for (const [call, kind] of Object.entries(matrix.vibecode.operation_kind.entity_api)) {
    it(`${call} is a ${kind}`, () => {
      const got = judge('vibecode', { kind: undefined, call, status: 500, code: 'BITRIX_TIMEOUT' });
      expect(got.unknownOutcome).toBe(kind === 'write');
    });
  }
  for (const [action, kind] of Object.entries(matrix.vibecode.operation_kind.batch_action)) {
    it(`batch action ${action} is a ${kind}`, () => {
      const got = judge('vibecode', { call: action, code: 'BITRIX_TIMEOUT' });
      expect(got.unknownOutcome).toBe(kind === 'write');
    });
  }
  const { write, read } = matrix.vibecode.operation_kind.rest_suffix;
  for (const profile of ['vibecode', 'bitrix_rest'] as const) {
    it.each([...write, 'set', 'register', 'import'])(`${profile}: crm.x.%s is a write`, (word) => {
      expect(judge(profile, { call: `crm.x.${word}`, method: 'GET' }).effect).toBe('possible');
    });
    it.each(read)(`${profile}: crm.x.%s is a read`, (word) => {
      expect(judge(profile, { call: `crm.x.${word}`, method: 'POST' }).effect).toBe('none');
    });
  }
});

describe('quillhub scenarios', () => {
  const quill = (fields: Partial<Attempt>) => judge('quillhub', fields);
  it.each(KINDS)('2xx is a success of a %s', (kind) => {
    expect(quill({ kind, status: 200 })).toMatchObject({
      action: 'none',
      effect: kind === 'write' ? 'applied' : 'none',
    });
  });
  it.each([400, 402, 403, 404, 408, 409, 422, 425, 451])('%i is fixed, not repeated', (status) => {
    for (const kind of KINDS) {
      expect(quill({ kind, status })).toMatchObject({
        action: 'fix_before_retry',
        effect: 'none',
        gates: ['fix_cause'],
      });
    }
    expect(quill({ kind: 'write', status: 401 }).gates).toEqual(['fix_auth']);
  });
  it('429 is refused and waits', () => {
    expect(quill({ kind: 'write', status: 429 })).toMatchObject({
      action: 'retry_with_limit',
      effect: 'none',
      reached: 'no',
    });
    expect(quill({ kind: 'write', status: 429, retryAfter: ['7'] }).gates).toEqual(['wait']);
  });
  it.each([500, 501, 502, 503, 504, 505, 520, 599])('%i is looked up before a write is repeated', (status) => {
    expect(quill({ kind: 'read', status })).toMatchObject({ action: 'retry_with_limit', gates: ['backoff'] });
    for (const idempotency of [undefined, { keyHash: 'k', mode: 'server' as const }]) {
      expect(quill({ kind: 'write', method: 'PUT', status, idempotency })).toMatchObject({
        action: 'state_verification_required',
        effect: 'possible',
        gates: ['read_back'],
      });
    }
    const unlikely = [501, 505, 511].includes(status);
    expect(quill({ kind: 'read', status }).flags.includes('unlikely_transient')).toBe(unlikely);
  });
  it('network before sending is repeated, a name that is not found too', () => {
    for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
      const error = { name: 'Error', code, syscall: 'getaddrinfo' };
      expect(quill({ kind: 'write', error })).toMatchObject({
        action: 'retry_with_limit',
        effect: 'none',
        gates: ['backoff'],
      });
    }
  });
  it.each(['TimeoutError', 'AbortError'])('%s may have been accepted', (name) => {
    expect(quill({ kind: 'write', error: { name } })).toMatchObject({
      action: 'state_verification_required',
      effect: 'possible',
    });
    expect(quill({ kind: 'read', error: { name } })).toMatchObject({ action: 'retry_with_limit', effect: 'none' });
  });
  it('an unreadable answer is a bug for a read and a doubt for a write', () => {
    expect(quill({ kind: 'read', outcome: 'parse_error' })).toMatchObject({
      action: 'do_not_retry',
      gates: ['fix_cause'],
    });
    expect(quill({ kind: 'write', status: 200, outcome: 'parse_error' })).toMatchObject({
      action: 'state_verification_required',
      effect: 'possible',
      gates: ['read_back'],
      code: 'PARSE_ERROR',
    });
  });
  it('a failed job is final in every profile', () => {
    for (const name of ['quillhub', 'http', 'vibecode', 'bitrix_rest']) {
      expect(judge(name, { kind: 'write', status: 200, outcome: 'async_failed' })).toMatchObject({
        action: 'do_not_retry',
        effect: 'none',
        gates: ['fix_cause'],
        code: 'ASYNC_FAILED',
      });
    }
  });
});

describe('article statuses', () => {
  const keyed = { keyHash: 'h' };
  for (const row of matrix.article.statuses) {
    it(`${row.status}`, () => {
      const repeats = (fields: Partial<Attempt>) =>
        judge('http', { status: row.status, ...fields }).action === 'retry_with_limit';
      expect(repeats({ kind: 'read', method: 'GET' })).toBe(row.retryable);
      expect(repeats({ kind: 'write', method: 'POST' })).toBe(row.bare_post);
      expect(repeats({ kind: 'write', method: 'POST', idempotency: keyed })).toBe(row.retryable);
      expect(repeats({ kind: 'write', method: 'put' })).toBe(row.retryable);
      expect(repeats({ kind: 'write', method: 'PATCH' })).toBe(row.bare_post);
      expect(repeats({ kind: 'read', method: 'POST' })).toBe(row.retryable);
      const { effect } = judge('http', { status: row.status, kind: 'write', method: 'POST' });
      expect(effect).toBe({ done: 'applied', maybe: 'possible' }[row.server_work] ?? 'none');
    });
  }
  it('lowers a key that the sender does not trust, and never raises one', () => {
    const lowered = { keyHash: 'h', mode: 'client_dedupe' as const };
    expect(judge('http', { kind: 'write', method: 'POST', status: 500, idempotency: lowered }).action).toBe(
      'state_verification_required',
    );
    const raised = { keyHash: 'h', mode: 'server' as const };
    expect(judge('vibecode', { kind: 'write', status: 500, idempotency: raised }).action).toBe(
      'state_verification_required',
    );
  });
  it.each([410, 413, 418])('unlisted %i is fixed first and shown apart', (status) => {
    expect(judge('http', { kind: 'write', status })).toMatchObject({
      action: 'fix_before_retry',
      effect: 'none',
      flags: ['not_covered'],
    });
  });
  it.each([501, 505, 520, 522, 524])('unlisted %i goes by replayability and is shown apart', (status) => {
    expect(judge('http', { kind: 'write', method: 'POST', status })).toMatchObject({
      action: 'state_verification_required',
      effect: 'possible',
      flags: ['not_covered'],
    });
    expect(judge('http', { kind: 'write', method: 'PUT', status }).action).toBe('retry_with_limit');
  });
  it.each([521, 523])('%i never reached the origin', (status) => {
    expect(judge('http', { kind: 'write', method: 'POST', status })).toMatchObject({
      action: 'retry_with_limit',
      effect: 'none',
      reached: 'no',
    });
  });
  it('409 waits under a server key, is looked up without, and is wrong for a read', () => {
    expect(judge('http', { kind: 'write', status: 409, method: 'POST', idempotency: keyed })).toMatchObject({
      action: 'retry_with_limit',
      effect: 'possible',
    });
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(judge('http', { kind: 'write', status: 409, method }).action).toBe('state_verification_required');
    }
    expect(judge('http', { kind: 'read', status: 409, method: 'GET' }).action).toBe('fix_before_retry');
  });
  it('303 and 304 are answers, other 3xx are not', () => {
    expect(judge('http', { kind: 'write', status: 303 })).toMatchObject({ action: 'none', effect: 'applied' });
    expect(judge('http', { kind: 'read', status: 304 }).action).toBe('none');
    expect(judge('http', { kind: 'write', status: 304 }).action).toBe('fix_before_retry');
    expect(judge('http', { kind: 'read', status: 302 })).toMatchObject({ action: 'fix_before_retry', effect: 'none' });
  });
});

describe('article network rows', () => {
  for (const row of matrix.article.network) {
    it(row.label, () => {
      const error = { name: 'Error', code: row.code, syscall: row.syscall ?? undefined };
      for (const shape of [error, { name: 'TypeError', message: 'fetch failed', cause: error }]) {
        const repeats = (fields: Partial<Attempt>) =>
          judge('http', { error: shape, ...fields }).action === 'retry_with_limit';
        // null: the source doesn't say; ruled a pre-flight failure (domain.md §5).
        expect(repeats({ kind: 'read', method: 'GET' })).toBe(row.get ?? true);
        expect(repeats({ kind: 'write', method: 'POST' })).toBe(row.post ?? true);
        expect(repeats({ kind: 'write', method: 'POST', idempotency: { keyHash: 'h' } })).toBe(row.keyed_post ?? true);
        expect(judge('http', { error: shape, kind: 'write' }).code).toBe(row.code);
      }
    });
  }
  for (const row of matrix.article.undici) {
    it(`undici ${row.case} is the same as ${row.same_as}`, () => {
      const cause = { code: row.cause_code };
      const wrapped = { name: row.name, message: row.message, cause };
      const plain = matrix.article.network.find(({ code }) => code === row.same_as);
      const got = judge('http', { kind: 'write', method: 'POST', error: wrapped });
      expect(got.action === 'retry_with_limit').toBe(plain?.post);
      expect(got.code).toBe(row.cause_code);
    });
  }
  it.each([
    ['UND_ERR_CONNECT_TIMEOUT', 'retry_with_limit', 'connect'],
    ['UND_ERR_HEADERS_TIMEOUT', 'state_verification_required', 'awaiting_response'],
    ['UND_ERR_BODY_TIMEOUT', 'state_verification_required', 'reading_body'],
  ])('%s', (code, action, phase) => {
    const got = judge('http', { kind: 'write', error: { name: 'TypeError', cause: { code } } });
    expect(got).toMatchObject({ action, phase, code });
  });
  it('TimeoutError is a doubt, AbortError a decision', () => {
    const timeout = { name: 'TimeoutError', code: 23 };
    const abort = { name: 'AbortError', code: 20 };
    expect(judge('http', { kind: 'write', error: timeout })).toMatchObject({
      action: 'state_verification_required',
      code: 'TimeoutError',
    });
    expect(judge('http', { kind: 'read', error: timeout }).action).toBe('retry_with_limit');
    expect(judge('http', { kind: 'write', error: abort })).toMatchObject({
      action: 'do_not_retry',
      effect: 'possible',
      gates: ['read_back'],
      unknownOutcome: true,
    });
    expect(judge('http', { kind: 'read', error: abort })).toMatchObject({ action: 'do_not_retry', gates: [] });
    for (const abortBy of ['per_try', 'deadline'] as const) {
      expect(judge('http', { kind: 'read', error: abort, abortBy }).action).toBe('retry_with_limit');
    }
  });
});

describe('rule sets as data', () => {
  it('name every row, say it in both languages and where it comes from', () => {
    const names = listRuleSets().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const ruleSet of listRuleSets()) {
      expect(ruleSet.rows.filter(({ stage }) => stage === 'default')).toHaveLength(1);
      for (const row of ruleSet.rows) {
        expect(row.condition.en.length, row.id).toBeGreaterThan(20);
        expect(row.condition.ru, row.id).toMatch(/[а-яё]{3}/i);
        expect(row.provenance.place, row.id).not.toBe('');
      }
    }
  });
  it('name their gates in the order in which they apply', () => {
    const rank: Record<string, number> = { asked_or_backoff: 0, asked_only: 0 };
    GATES.forEach((gate, at) => (rank[gate] = at));
    for (const { rows } of listRuleSets()) {
      for (const row of rows) {
        for (const cell of [row.read, row.write, row.replayable]) {
          const ranks = (cell?.gates ?? []).map((gate) => rank[gate] ?? -1);
          expect(ranks, row.id).toEqual([...ranks].sort((a, b) => a - b));
        }
      }
    }
  });
  it('have one current edition per profile', () => {
    for (const profile of ['vibecode', 'quillhub', 'http', 'bitrix_rest']) {
      expect(listRuleSets().filter((ruleSet) => ruleSet.profile === profile && ruleSet.current)).toHaveLength(1);
    }
  });
});
