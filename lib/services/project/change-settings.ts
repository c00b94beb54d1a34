import type { z } from 'zod';
import type { Database } from '../../../db/client';
import { lockProjectSettings, updateProjectSettings, type ProjectSettings } from '../../../db/queries/project-settings';
import { inTransaction } from '../../../db/transaction';
import { may, type Role } from '../../core/permission';
import type { Actor, AuthorizedProject } from '../../core/project';
import { applyChange, SETTING_KEYS, type Judging, type SettingsChange } from '../../core/settings-change';
import { faultsOf, type InputFault } from '../parse-input';
import { recordAudit } from '../record-audit';
import { settingsInput } from './settings-schema';

/** What the verbs of a project are given. */
export interface ProjectContext {
  db: Database;
  project: AuthorizedProject;
  actor: Actor;
  role: Role;
  /** Epoch ms. */
  now: number;
  requestId: string;
}

export type ChangeSettingsRefusal =
  { code: 'forbidden' | 'not_found' | 'stale_version' } | { code: 'invalid_request'; faults: InputFault[] };

export type ChangeSettingsResult =
  { ok: true; value: { version: number } } | { ok: false; refusal: ChangeSettingsRefusal };

/**
 * Changes what the project's conclusions depend on, if `version` is still the current one. What is stored already stays
 * as it was concluded until it is recomputed or touched again. A change that changes nothing is no new version.
 */
export async function changeSettings(ctx: ProjectContext, body: unknown): Promise<ChangeSettingsResult> {
  if (!may(ctx.role, 'rules.manage')) return { ok: false, refusal: { code: 'forbidden' } };
  const parsed = settingsInput.safeParse(body);
  if (!parsed.success) return { ok: false, refusal: { code: 'invalid_request', faults: faultsOf(parsed.error) } };
  const { version, ...change } = parsed.data;
  return inTransaction(ctx.db, async (tx): Promise<ChangeSettingsResult> => {
    const current = await lockProjectSettings(tx.sql, ctx.project.id);
    if (!current) return { ok: false, refusal: { code: 'not_found' } };
    if (current.version !== version) return { ok: false, refusal: { code: 'stale_version' } };
    const next = applyChange(current, toChange(change));
    const detail = differences(current, next);
    if (!detail) return { ok: true, value: { version } };
    const by = { version, now: ctx.now, name: ctx.actor.name };
    if (!(await updateProjectSettings(tx.sql, ctx.project.id, next, by))) {
      return { ok: false, refusal: { code: 'stale_version' } };
    }
    await recordAudit(tx, ctx, {
      projectId: ctx.project.id,
      action: 'settings.changed',
      subject: ctx.project.slug,
      detail: { version: version + 1, ...detail },
    });
    return { ok: true, value: { version: version + 1 } };
  });
}

/** The parsed change without the names that were not given. */
export function toChange(parsed: Omit<z.output<typeof settingsInput>, 'version'>): SettingsChange {
  const given = Object.entries(parsed).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

type Values = Record<string, unknown>;

/** Only what differs, before and after; null when nothing does. */
function differences(before: ProjectSettings, after: Judging): { oldValue: Values; newValue: Values } | null {
  const oldValue = flatten(before);
  const newValue = flatten(after);
  const names = Object.keys({ ...oldValue, ...newValue });
  const changed = names.filter((name) => JSON.stringify(oldValue[name]) !== JSON.stringify(newValue[name]));
  if (changed.length === 0) return null;
  const only = (values: Values): Values => Object.fromEntries(changed.map((name) => [name, values[name] ?? null]));
  return { oldValue: only(oldValue), newValue: only(newValue) };
}

function flatten({ settings, profiles, ruleSets }: Judging): Values {
  const values: Values = { defaultProfile: profiles.defaultProfile, targets: profiles.targets };
  for (const key of SETTING_KEYS) values[key] = settings[key];
  for (const [profile, name] of Object.entries(ruleSets)) values[`ruleSets.${profile}`] = name;
  return values;
}
