import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { applyChange } from '@/lib/core/settings-change';
import {
  checkTargets,
  EMPTY_DRAFT,
  fieldOf,
  hasFaults,
  listJudgingChanges,
  readDraft,
  type JudgingDraft,
  type JudgingView,
} from '@/lib/present/judging-draft';

const view: JudgingView = {
  settings: { ...DEFAULT_SETTINGS, toleranceSecondsMs: 200 },
  defaults: DEFAULT_SETTINGS,
  targets: [{ pattern: '*.bitrix24.ru', profile: 'bitrix_rest' }],
  defaultProfile: 'http',
  ruleSets: { vibecode: 'vibecode@older-ru' },
};

const draft = (over: Partial<JudgingDraft>): JudgingDraft => ({ ...EMPTY_DRAFT, ...over });

describe('readDraft', () => {
  it('of nothing typed changes nothing', () => {
    expect(readDraft(EMPTY_DRAFT, view)).toEqual({ change: {}, changes: 0, settingFaults: {}, targetFaults: [] });
  });

  it('takes only what differs from what holds; the default goes as null', () => {
    const typed = draft({
      fields: {
        toleranceSecondsMs: { amount: '50', unit: 'ms' },
        idleOverMs: { amount: '20', unit: 'min' },
        retentionMs: { amount: '720', unit: 'h' },
      },
      defaultProfile: 'http',
      ruleSets: { vibecode: null, http: null },
    });
    expect(readDraft(typed, view)).toMatchObject({
      change: { settings: { toleranceSecondsMs: null, idleOverMs: 1_200_000 }, ruleSets: { vibecode: null } },
      changes: 3,
    });
    expect(readDraft(typed, view).change).not.toHaveProperty('defaultProfile');
  });

  it('sees order and spelling of targets, not blanks around them', () => {
    const same = [{ id: 1, pattern: ' *.bitrix24.ru ', profile: 'bitrix_rest' as const }];
    expect(readDraft(draft({ targets: same }), view).changes).toBe(0);
    const more = [...same, { id: 2, pattern: 'api.quillhub.io', profile: 'quillhub' as const }];
    expect(readDraft(draft({ targets: more }), view).change.targets).toEqual([
      { pattern: '*.bitrix24.ru', profile: 'bitrix_rest' },
      { pattern: 'api.quillhub.io', profile: 'quillhub' },
    ]);
    expect(readDraft(draft({ targets: [] }), view).change.targets).toEqual([]);
  });

  it('keeps a wrong text as a fault and out of the change', () => {
    const read = readDraft(draft({ fields: { herdFactor: { amount: 'many', unit: 'ms' } } }), view);
    expect(read).toMatchObject({ change: {}, changes: 0, settingFaults: { herdFactor: 'not_a_number' } });
    expect(hasFaults(read)).toBe(true);
  });

  it('survives that what holds changed meanwhile: the typed stays, the rest follows', () => {
    const typed = draft({ fields: { idleOverMs: { amount: '20', unit: 'min' } } });
    const theirs: JudgingView = { ...view, settings: { ...view.settings, toleranceDateMs: 3_000 } };
    expect(fieldOf('idleOverMs', typed, theirs)).toEqual({ amount: '20', unit: 'min' });
    expect(fieldOf('toleranceDateMs', typed, theirs)).toEqual({ amount: '3', unit: 's' });
    expect(readDraft(typed, theirs).change).toEqual({ settings: { idleOverMs: 1_200_000 } });
  });
});

it('names what is wrong with a target; of two equal ones the second', () => {
  const rows = ['a.example', 'A.example', '', 'two words', 'x'.repeat(256)].map((pattern) => ({ pattern }));
  expect(checkTargets(rows)).toEqual([null, 'twice', 'empty', 'blank', 'too_long']);
});

it('lists what differs, so that a person sees what a change does, or what somebody else did', () => {
  const after = applyChange(
    { settings: view.settings, profiles: view, ruleSets: view.ruleSets },
    { settings: { longWaitMs: 60_000 }, targets: [], defaultProfile: 'vibecode', ruleSets: { vibecode: null } },
  );
  const next: JudgingView = { ...view, ...after.profiles, settings: after.settings, ruleSets: after.ruleSets };
  expect(listJudgingChanges(view, next)).toEqual([
    { kind: 'defaultProfile', from: 'http', to: 'vibecode' },
    { kind: 'targets' },
    { kind: 'edition', profile: 'vibecode', from: 'vibecode@older-ru', to: null },
    { kind: 'setting', key: 'longWaitMs', from: 300_000, to: 60_000 },
  ]);
});
