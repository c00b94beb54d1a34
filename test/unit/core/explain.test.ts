import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { explainVerdict, formatWait } from '@/lib/core/explain';
import { findRuleSet, listRuleSets } from '@/lib/core/rules/index';
import { attempt } from './support/event';

function explain(name: string, fields: Partial<Attempt>, lang: 'en' | 'ru' = 'en') {
  const ruleSet = findRuleSet(name);
  if (!ruleSet) throw new Error(name);
  const event = attempt(fields);
  return explainVerdict(classify(event, ruleSet), event, lang);
}

describe('explainVerdict', () => {
  it('says what happened, what it means and what to do', () => {
    const got = explain('vibecode', { kind: 'write', status: 504, code: 'BITRIX_TIMEOUT', retryAfter: ['90'] });
    expect(got.what).toContain('BITRIX_TIMEOUT');
    expect(got.what).toContain('may have taken effect');
    expect(got.now).toBe(
      'Wait 1 min 30 s, then look for the effect by a unique attribute; send again only when the effect is proven absent.',
    );
    expect(got.rule).toContain('Bitrix24 may still be working');
    expect(got.difference).toBeNull();
  });
  it('names the full time of strict rules', () => {
    expect(explain('vibecode', { kind: 'read', code: 'TIMEOUT_QUARANTINE', retryAfter: ['5'] }, 'ru').now).toContain(
      'полные 5 с',
    );
  });
  it('shows where the example classifier says something else', () => {
    expect(explain('vibecode', { kind: 'write', code: 'BITRIX_ERROR' }).difference).toContain('fix_before_retry');
    expect(
      explain('vibecode', { kind: 'write', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 200 }).difference,
    ).toContain('nothing left to verify');
    expect(explain('http', { kind: 'read', error: { name: 'TimeoutError' } }).difference).toContain('no_retry');
    expect(explain('http', { kind: 'write', error: { name: 'TimeoutError' } }).difference).toBeNull();
  });
  it('leaves no gap unfilled and no Russian text in English, for every row of every edition', () => {
    for (const ruleSet of listRuleSets()) {
      for (const row of ruleSet.rows) {
        const event = attempt({ kind: 'write', code: row.match.codes?.[0], status: row.match.statuses?.[0]?.[0] });
        const verdict = classify(event, ruleSet);
        const en = explainVerdict(verdict, event, 'en');
        const ru = explainVerdict(verdict, event, 'ru');
        for (const text of [en.what, en.now, ru.what, ru.now]) expect(text).not.toMatch(/[{}]|undefined/);
        expect(en.now).not.toBe(ru.now);
        expect(en.what + en.now).not.toMatch(/[а-яё]/i);
      }
    }
  });
});

describe('formatWait', () => {
  it.each([
    [0, '0 ms'],
    [250.2, '251 ms'],
    [1000, '1 s'],
    [1234, '1.24 s'],
    [60_000, '1 min'],
    [61_001, '1 min 2 s'],
    [119_999, '2 min'],
    [3_600_000, '1 h'],
    [90_000_000, '1 d 1 h'],
  ])('%d ms is %s', (ms, text) => expect(formatWait(ms, 'en')).toBe(text));
});
