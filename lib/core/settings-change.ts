import { PROFILES, type Profile } from './attempt';
import { DEFAULT_SETTINGS, type Settings } from './operation';
import type { PinnedNames, ProfileRules } from './project';
import { listRuleSets } from './rules/index';

/** What a project may set about judging, how far each setting may go, and what a change makes of it. Pure. */

/** Everything of a project that conclusions depend on. */
export interface Judging {
  settings: Settings;
  profiles: ProfileRules;
  ruleSets: PinnedNames;
}

/** A wished change. What is absent stays; `null` goes back to the default, or to the current edition. */
export interface SettingsChange {
  settings?: Partial<Record<keyof Settings, number | null>>;
  /** The whole list, in the order in which patterns are tried. */
  targets?: ProfileRules['targets'];
  defaultProfile?: Profile;
  ruleSets?: Partial<Record<Profile, string | null>>;
}

export const SETTING_KEYS = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];

export function editionsOf(profile: Profile): string[] {
  return listRuleSets()
    .filter((set) => set.profile === profile)
    .map((set) => set.name);
}

/** The judging that `change` makes of `current`. */
export function applyChange(current: Judging, change: SettingsChange): Judging {
  const settings = { ...current.settings };
  for (const key of SETTING_KEYS) {
    const value = change.settings?.[key];
    if (value !== undefined) settings[key] = value ?? DEFAULT_SETTINGS[key];
  }
  const ruleSets = { ...current.ruleSets };
  for (const profile of PROFILES) {
    const name = change.ruleSets?.[profile];
    if (name === null) delete ruleSets[profile];
    else if (name !== undefined) ruleSets[profile] = name;
  }
  return {
    settings,
    profiles: {
      defaultProfile: change.defaultProfile ?? current.profiles.defaultProfile,
      targets: change.targets ?? current.profiles.targets,
    },
    ruleSets,
  };
}

/** Only what differs from the defaults: that is what is stored. */
export function overridesOf(settings: Settings): Partial<Settings> {
  const own: Partial<Settings> = {};
  for (const key of SETTING_KEYS) if (settings[key] !== DEFAULT_SETTINGS[key]) own[key] = settings[key];
  return own;
}
