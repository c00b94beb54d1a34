import { describe, expect, it } from 'vitest';
import { listChecks } from '@/lib/core/check-catalogue';
import { CHECK_NAMES } from '@/lib/core/checks/check-name';
import { STREAM_CHECKS, streamReach } from '@/lib/core/checks/stream/index';
import { explainFinding, findingTextsOf } from '@/lib/core/explain-finding';
import { DEFAULT_SETTINGS, SEVERITIES, type Finding } from '@/lib/core/operation';
import { findAll } from './support/find-all';
import { SCENARIOS } from './support/finding-scenarios';

/** Said with a person's word and against a baseline: no scenario of one body gives these two. */
const BY_HAND: Record<string, Finding> = {
  'duplicate_suspected/confirmed_by_person': {
    check: 'duplicate_suspected',
    severity: 'critical',
    evidence: { level: 'confirmed', entities: 0, extraEffects: 1 },
  },
  'amplification/above_baseline': {
    check: 'amplification',
    severity: 'low',
    evidence: { kind: 'above_baseline', attemptsPerOperation: 3.126, baseline: 1.5, factor: 2.084 },
  },
};

function explained(finding: Finding, check: string, variant: string) {
  const text = findingTextsOf(finding.check as (typeof CHECK_NAMES)[number])[variant];
  const en = explainFinding(finding, 'en');
  const ru = explainFinding(finding, 'ru');
  if (!text || !en || !ru) throw new Error(`no text for ${check}/${variant}`);
  // It is this text and no other: it begins as the template does, up to the first gap.
  for (const [said, template] of [
    [en.what, text.what.en],
    [ru.what, text.what.ru],
    [en.now, text.now.en],
  ] as const) {
    expect(said.startsWith(template.split('{')[0] ?? '')).toBe(true);
  }
  return { en, ru };
}

describe('explainFinding', () => {
  for (const { check, variant, facts } of SCENARIOS) {
    it(`${check}${variant && ` (${variant})`} is found and explained`, () => {
      const own = findAll(facts()).filter((finding) => finding.check === check);
      const text = findingTextsOf(check)[variant];
      if (!text) throw new Error('no such text');
      const [beginning = ''] = text.what.en.split('{');
      const finding = own.find((one) => {
        const said = explainFinding(one, 'en');
        return said?.now === text.now.en && said.what.startsWith(beginning);
      });
      expect(own.length, 'found').toBeGreaterThan(0);
      if (!finding) throw new Error(`another text: ${JSON.stringify(own)}`);
      const { en, ru } = explained(finding, check, variant);
      for (const said of [en.what, en.now, ru.what, ru.now]) {
        expect(said).not.toMatch(/[{}—]\S|undefined|null|NaN|\[object/);
        expect(said).toMatch(/[.]$/);
      }
      expect(en.what + en.now).not.toMatch(/[а-яё]/i);
      expect(ru.what).toMatch(/[а-яё]/i);
      expect(ru.now).toMatch(/[а-яё]/i);
    });
  }

  it('fills every gap from the evidence: none of the findings lacks a value', () => {
    for (const { check, variant, facts } of SCENARIOS) {
      for (const finding of findAll(facts()).filter((one) => one.check === check)) {
        const said = explainFinding(finding, 'en');
        expect(said?.what, `${check}/${variant}`).not.toMatch(/(^|[\s(])—/);
      }
    }
  });

  it('every text of every check is said by a scenario', () => {
    const said = new Set([...SCENARIOS.map(({ check, variant }) => `${check}/${variant}`), ...Object.keys(BY_HAND)]);
    const all = CHECK_NAMES.flatMap((check) =>
      Object.keys(findingTextsOf(check)).map((variant) => `${check}/${variant}`),
    );
    expect(all.filter((name) => !said.has(name))).toEqual([]);
    expect(new Set(SCENARIOS.map(({ check }) => check)).size).toBe(CHECK_NAMES.length);
  });

  it.each(Object.entries(BY_HAND))('%s', (name, finding) => {
    const [check = '', variant = ''] = name.split('/');
    const { en, ru } = explained(finding, check, variant);
    expect(en.what).not.toMatch(/[{}—]/);
    expect(ru.what).not.toMatch(/[{}—]/);
  });

  it('writes durations, decimals and lists in the language of the reader', () => {
    const early = { attempt: 2, severity: 'medium' as const, check: 'early_retry' };
    const evidence = { waitedMs: 1_000, askedMs: 90_000, earlyMs: 89_000 };
    expect(explainFinding({ ...early, evidence }, 'en')?.what).toBe(
      'Attempt 2 went out after 1 s, although 1 min 30 s had been asked: 1 min 29 s too early, which keeps the limit closed longer.',
    );
    expect(explainFinding({ ...early, evidence }, 'ru')?.what).toContain(
      'Попытка 2 ушла через 1 с, хотя просили 1 мин 30 с',
    );
    const baseline = BY_HAND['amplification/above_baseline'];
    if (!baseline) throw new Error('no baseline');
    expect(explainFinding(baseline, 'en')?.what).toContain('makes 3.13 attempts an operation, 2.08 times');
    expect(explainFinding(baseline, 'ru')?.what).toContain('3,13');
    const anomaly = { check: 'contract_anomaly', severity: 'low' as const, attempt: 1 };
    const two = { code: 'X', anomalies: ['unknown_code', 'retry_after_missing'] };
    expect(explainFinding({ ...anomaly, evidence: two }, 'en')?.what).toContain(
      'a code that the rules don’t know, no Retry-After where one is promised',
    );
    expect(explainFinding({ ...early, evidence: { waitedMs: -250 } }, 'en')?.what).toContain('after −250 ms');
    expect(explainFinding({ ...early, evidence: {} }, 'en')?.what).toContain('after —');
  });

  it('says nothing of a check it does not know', () => {
    expect(explainFinding({ check: 'older_check', severity: 'low', evidence: {} }, 'en')).toBeNull();
  });
});

describe('listChecks', () => {
  it('names every check once, with its measure, words in both languages and settings that exist', () => {
    const checks = listChecks();
    expect(checks.map(({ check }) => check)).toEqual([...CHECK_NAMES]);
    const metrics = new Set(checks.map(({ metric }) => metric));
    // M5 is a gauge and not a finding.
    const measured = Array.from({ length: 23 }, (_, at) => `M${at + 1}`).filter((name) => name !== 'M5');
    expect([...metrics].filter((name) => name !== 'flag').sort()).toEqual(measured.sort());
    for (const { severity, meaning, formula, settings } of checks) {
      expect(SEVERITIES).toContain(severity);
      for (const name of settings) expect(DEFAULT_SETTINGS).toHaveProperty(name);
      expect(meaning.en).not.toBe(meaning.ru);
      expect(formula.en).not.toBe(formula.ru);
      expect(meaning.en + formula.en).not.toMatch(/[а-яё]/i);
    }
  });
  it('says of every stream check that it is one, and how far it reaches', () => {
    const streamed = new Set(STREAM_CHECKS.map(({ check }) => check));
    const told = listChecks().filter(({ reach }) => reach.includes('stream'));
    expect(new Set(told.map(({ check }) => check))).toEqual(streamed);
    // The look-back of keys twice: to know what was told already.
    expect(streamReach(DEFAULT_SETTINGS).backMs).toBe(2 * 86_400_000);
    expect(streamReach(DEFAULT_SETTINGS).aheadMs).toBe(32_000);
  });
});
