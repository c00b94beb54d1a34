import type { Profile } from '../attempt';
import { BITRIX_REST_2026_11_30 } from './bitrix-rest';
import { HTTP_2026_11_30 } from './http';
import { QUILLHUB_2026_11_30 } from './quillhub';
import type { RuleSet } from './rule';
import { VIBECODE_2026_10_22, VIBECODE_OLDER_RU } from './vibecode';

/** Every rule set and edition the product knows. */

const RULE_SETS: readonly RuleSet[] = [
  VIBECODE_2026_10_22,
  VIBECODE_OLDER_RU,
  QUILLHUB_2026_11_30,
  HTTP_2026_11_30,
  BITRIX_REST_2026_11_30,
];

const CURRENT: Readonly<Record<Profile, RuleSet>> = {
  vibecode: VIBECODE_2026_10_22,
  quillhub: QUILLHUB_2026_11_30,
  http: HTTP_2026_11_30,
  bitrix_rest: BITRIX_REST_2026_11_30,
};

export function listRuleSets(): readonly RuleSet[] {
  return RULE_SETS;
}

/** @param name `profile@edition`, or a profile alone for its current edition */
export function findRuleSet(name: string): RuleSet | null {
  const exact = RULE_SETS.find((set) => set.name === name);
  return exact ?? RULE_SETS.find((set) => set.profile === name && set.current) ?? null;
}

/** Editions pinned by name → the sets themselves. A name nobody knows, or of another profile, pins nothing. */
export function pinRuleSets(names: Partial<Record<Profile, string>>): Partial<Record<Profile, RuleSet>> {
  const pinned: Partial<Record<Profile, RuleSet>> = {};
  for (const name of Object.values(names)) {
    const found = findRuleSet(name);
    if (found && names[found.profile] === name) pinned[found.profile] = found;
  }
  return pinned;
}

export function currentRuleSet(profile: Profile): RuleSet {
  // A profile that slipped past validation is judged as plain HTTP.
  return CURRENT[profile] ?? HTTP_2026_11_30;
}
