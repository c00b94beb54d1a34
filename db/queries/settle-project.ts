import type postgres from 'postgres';
import type { Profile } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import type { PinnedNames, ProfileRules } from '@/lib/core/project';

/** What folding one project's operations needs to know of it. */
export interface SettleProject {
  id: number;
  settings: Settings;
  profiles: ProfileRules;
  ruleSets: PinnedNames;
  /** One more with every change of any of these. */
  settingsVersion: number;
  /** Epoch ms; null while nothing was ever changed. */
  settingsChangedAt: number | null;
}

export async function listProjectIds(sql: postgres.ISql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from project order by id`;
  return rows.map((row) => row.id);
}

export async function readSettleProject(sql: postgres.ISql, projectId: number): Promise<SettleProject | null> {
  const [row] = await sql<
    {
      default_profile: Profile;
      targets: ProfileRules['targets'];
      settings: Partial<Settings>;
      rule_sets: PinnedNames;
      settings_version: number;
      settings_changed_at: number | null;
    }[]
  >`
    select default_profile, targets, settings, rule_sets, settings_version,
           (extract(epoch from settings_changed_at) * 1000)::float8 as settings_changed_at
    from project where id = ${projectId}`;
  if (!row) return null;
  return {
    id: projectId,
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    profiles: { defaultProfile: row.default_profile, targets: row.targets },
    ruleSets: row.rule_sets,
    settingsVersion: row.settings_version,
    settingsChangedAt: row.settings_changed_at,
  };
}
