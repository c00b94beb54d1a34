import { PROFILES, type Profile } from '../core/attempt';
import type { Settings } from '../core/operation';
import type { PinnedNames, ProfileRules } from '../core/project';
import { SETTING_BOUNDS } from '../core/setting-bounds';
import { SETTING_KEYS, type SettingsChange } from '../core/settings-change';
import { readField, writeField, type FieldReading, type FieldText } from './setting-field';

/** What a person typed about judging, kept apart from what holds, so that neither overwrites the other. */

/** What holds now; fits a project's settings view. */
export interface JudgingView {
  settings: Settings;
  defaults: Settings;
  targets: ProfileRules['targets'];
  defaultProfile: Profile;
  ruleSets: PinnedNames;
}

export interface TargetRow {
  /** Of this page only, so that a moved row keeps its field. */
  id: number;
  pattern: string;
  profile: Profile;
}

/** Only what was touched. */
export interface JudgingDraft {
  fields: Partial<Record<keyof Settings, FieldText>>;
  targets: TargetRow[] | null;
  defaultProfile: Profile | null;
  /** null = the current edition again. */
  ruleSets: Partial<Record<Profile, string | null>>;
}

export const EMPTY_DRAFT: JudgingDraft = { fields: {}, targets: null, defaultProfile: null, ruleSets: {} };

export type TargetFault = 'empty' | 'blank' | 'too_long' | 'twice';
export type SettingFault = Extract<FieldReading, { ok: false }>['fault'];

export interface ReadDraft {
  change: SettingsChange;
  /** Number of things that would differ from what holds. */
  changes: number;
  settingFaults: Partial<Record<keyof Settings, SettingFault>>;
  /** One entry a row; null where it is right. */
  targetFaults: (TargetFault | null)[];
}

const PATTERN_CHARS_MAX = 255;

function faultOf(pattern: string, earlier: ReadonlySet<string>): TargetFault | null {
  if (pattern === '') return 'empty';
  if (/[\s\p{C}]/u.test(pattern)) return 'blank';
  if (pattern.length > PATTERN_CHARS_MAX) return 'too_long';
  return earlier.has(pattern.toLowerCase()) ? 'twice' : null;
}

/** Patterns in order with what is wrong with each; the first of two equal ones is right. */
export function checkTargets(rows: readonly Pick<TargetRow, 'pattern'>[]): (TargetFault | null)[] {
  const earlier = new Set<string>();
  return rows.map(({ pattern }) => {
    const text = pattern.trim();
    const fault = faultOf(text, earlier);
    earlier.add(text.toLowerCase());
    return fault;
  });
}

function readSettings(draft: JudgingDraft, view: JudgingView) {
  const settings: NonNullable<SettingsChange['settings']> = {};
  const faults: ReadDraft['settingFaults'] = {};
  for (const key of SETTING_KEYS) {
    const typed = draft.fields[key];
    if (!typed) continue;
    const read = readField(typed, SETTING_BOUNDS[key]);
    if (!read.ok) faults[key] = read.fault;
    else if (read.value !== view.settings[key]) settings[key] = read.value === view.defaults[key] ? null : read.value;
  }
  return { settings, faults };
}

function sameTargets(a: ProfileRules['targets'], b: ProfileRules['targets']): boolean {
  return a.length === b.length && a.every((row, at) => row.pattern === b[at]?.pattern && row.profile === b[at].profile);
}

/** What the typed would change of what holds. Something typed back to what holds is no change. */
export function readDraft(draft: JudgingDraft, view: JudgingView): ReadDraft {
  const { settings, faults } = readSettings(draft, view);
  const targets = draft.targets?.map(({ pattern, profile }) => ({ pattern: pattern.trim(), profile }));
  const newTargets = targets && !sameTargets(targets, view.targets) ? targets : undefined;
  const pinned = PROFILES.flatMap((profile): [Profile, string | null][] => {
    const wish = draft.ruleSets[profile];
    return wish === undefined || wish === (view.ruleSets[profile] ?? null) ? [] : [[profile, wish]];
  });
  const { defaultProfile } = draft;
  const newDefault = defaultProfile !== null && defaultProfile !== view.defaultProfile ? defaultProfile : undefined;
  return {
    change: {
      ...(Object.keys(settings).length > 0 ? { settings } : {}),
      ...(newTargets ? { targets: newTargets } : {}),
      ...(newDefault ? { defaultProfile: newDefault } : {}),
      ...(pinned.length > 0 ? { ruleSets: Object.fromEntries(pinned) } : {}),
    },
    changes: Object.keys(settings).length + pinned.length + (newTargets ? 1 : 0) + (newDefault ? 1 : 0),
    settingFaults: faults,
    targetFaults: draft.targets ? checkTargets(draft.targets) : [],
  };
}

/** True while something typed can't be sent. */
export function hasFaults({ settingFaults, targetFaults }: ReadDraft): boolean {
  return Object.keys(settingFaults).length > 0 || targetFaults.some((fault) => fault !== null);
}

/** What the screen shows in a setting's field: the typed, else what holds. */
export function fieldOf(key: keyof Settings, draft: JudgingDraft, view: JudgingView): FieldText {
  return draft.fields[key] ?? writeField(view.settings[key], SETTING_BOUNDS[key]);
}

export type JudgingChange =
  | { kind: 'setting'; key: keyof Settings; from: number; to: number }
  | { kind: 'targets' }
  | { kind: 'defaultProfile'; from: Profile; to: Profile }
  /** null = the current edition. */
  | { kind: 'edition'; profile: Profile; from: string | null; to: string | null };

/** What differs between two states of a project's judging, in the order of the screen. */
export function listJudgingChanges(before: JudgingView, after: JudgingView): JudgingChange[] {
  const changes: JudgingChange[] = [];
  if (before.defaultProfile !== after.defaultProfile) {
    changes.push({ kind: 'defaultProfile', from: before.defaultProfile, to: after.defaultProfile });
  }
  if (!sameTargets(before.targets, after.targets)) changes.push({ kind: 'targets' });
  for (const profile of PROFILES) {
    const [from, to] = [before.ruleSets[profile] ?? null, after.ruleSets[profile] ?? null];
    if (from !== to) changes.push({ kind: 'edition', profile, from, to });
  }
  for (const key of SETTING_KEYS) {
    const [from, to] = [before.settings[key], after.settings[key]];
    if (from !== to) changes.push({ kind: 'setting', key, from, to });
  }
  return changes;
}
