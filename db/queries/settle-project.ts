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
  /** Epoch ms; what is older may have been removed (0 before anything was). */
  keptFrom: number;
  /** Epoch ms; rollups count nothing that began before. */
  rollupFrom: number;
}

export async function listProjectIds(sql: postgres.ISql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from project order by id`;
  return rows.map((row) => row.id);
}

/** Addresses of all projects by id. */
export async function listProjectSlugs(sql: postgres.ISql): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; slug: string }[]>`select id, slug from project order by id`;
  return new Map(rows.map((row) => [row.id, row.slug]));
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
      kept_from: number | null;
      rollup_from: number | null;
    }[]
  >`
    select default_profile, targets, settings, rule_sets, settings_version,
           (extract(epoch from settings_changed_at) * 1000)::float8 as settings_changed_at,
           (extract(epoch from kept_from) * 1000)::float8 as kept_from,
           (extract(epoch from rollup_from) * 1000)::float8 as rollup_from
    from project left join retention_mark on retention_mark.project_id = ${projectId}
    where project.id = ${projectId}`;
  if (!row) return null;
  return {
    id: projectId,
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    profiles: { defaultProfile: row.default_profile, targets: row.targets },
    ruleSets: row.rule_sets,
    settingsVersion: row.settings_version,
    settingsChangedAt: row.settings_changed_at,
    keptFrom: row.kept_from ?? 0,
    rollupFrom: row.rollup_from ?? 0,
  };
}
