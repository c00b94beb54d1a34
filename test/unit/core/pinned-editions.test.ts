import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { pinRuleSets } from '@/lib/core/rules/index';
import { evaluateFacts } from '@/lib/ingest/handle-evaluate';
import { attempt, fold, T0 } from './support/event';

/** A project may be judged by another edition than the current one. */

const refused = attempt({ kind: 'write', profile: 'vibecode', status: 429, code: 'CALLER_RATE_LIMITED' });
const older = pinRuleSets({ vibecode: 'vibecode@older-ru' });

describe('pinned editions', () => {
  it('are found by name', () => {
    expect(older.vibecode?.edition).toBe('older-ru');
    expect(pinRuleSets({ vibecode: 'vibecode' }).vibecode?.current).toBe(true);
  });
  it('a name nobody knows, or of another profile, pins nothing', () => {
    expect(pinRuleSets({ vibecode: 'vibecode@never', http: 'vibecode@older-ru' })).toEqual({});
  });
  it('judge the whole operation: the older one does not know this refusal and leaves a doubt', () => {
    expect(fold([refused]).state).toBe('failed');
    const got = fold([refused], { ruleSets: older });
    expect(got).toMatchObject({ state: 'unresolved', possibleEffects: 1, needsReview: true });
    expect(got.attempts[0]?.verdict).toMatchObject({ rule: 'DEFAULT', ruleSet: 'vibecode@older-ru' });
  });
  it('leave other profiles alone', () => {
    const plain = { ...refused, profile: 'http' as const };
    expect(fold([plain], { ruleSets: older }).attempts[0]?.verdict.ruleSet).toBe('http@2026-11-30');
  });
  it('reach what is evaluated for a project', () => {
    const project = { profiles: { defaultProfile: 'http' as const, targets: [] }, settings: DEFAULT_SETTINGS };
    const asOf = T0 + 86_400_000;
    const states = [undefined, { vibecode: 'vibecode@older-ru' }].map(
      (ruleSets) => evaluateFacts([refused], { ...project, ruleSets }, asOf)[0]?.state,
    );
    expect(states).toEqual(['failed', 'unresolved']);
  });
});
