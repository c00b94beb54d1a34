import type postgres from 'postgres';
import type { Profile } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { overridesOf, type Judging } from '@/lib/core/settings-change';

/** What a project's conclusions depend on, with its version. */
export interface ProjectSettings extends Judging {
  version: number;
  /** Epoch ms; null while nothing was ever changed. */
  changedAt: number | null;
  changedBy: string | null;
}

interface SettingsRow {
  version: number;
  settings: Partial<Settings>;
  targets: Judging['profiles']['targets'];
  default_profile: Profile;
  rule_sets: Judging['ruleSets'];
  changed_at: number | null;
  changed_by: string | null;
}

async function read(sql: postgres.ISql, projectId: number, lock: boolean): Promise<ProjectSettings | null> {
  const [row] = await sql<SettingsRow[]>`
    select settings_version as version, settings, targets, default_profile, rule_sets,
           (extract(epoch from settings_changed_at) * 1000)::float8 as changed_at, settings_changed_by as changed_by
    from project where id = ${projectId} ${lock ? sql`for update` : sql``}`;
  if (!row) return null;
  return {
    version: row.version,
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    profiles: { defaultProfile: row.default_profile, targets: row.targets },
    ruleSets: row.rule_sets,
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  };
}

export function readProjectSettings(sql: postgres.ISql, projectId: number): Promise<ProjectSettings | null> {
  return read(sql, projectId, false);
}

/** Locked until the transaction ends: of two changes at once the second sees the first one's version. */
export function lockProjectSettings(tx: postgres.ISql, projectId: number): Promise<ProjectSettings | null> {
  return read(tx, projectId, true);
}

/** @returns false when the version is not the given one any more */
export async function updateProjectSettings(
  tx: postgres.ISql,
  projectId: number,
  next: Judging,
  by: { version: number; now: number; name: string },
): Promise<boolean> {
  const done = await tx`
    update project set settings = ${JSON.stringify(overridesOf(next.settings))}::text::jsonb,
      targets = ${JSON.stringify(next.profiles.targets)}::text::jsonb, default_profile = ${next.profiles.defaultProfile},
      rule_sets = ${JSON.stringify(next.ruleSets)}::text::jsonb, settings_version = settings_version + 1,
      settings_changed_at = ${new Date(by.now).toISOString()}::timestamptz, settings_changed_by = ${by.name}
    where id = ${projectId} and settings_version = ${by.version}`;
  return done.count === 1;
}
