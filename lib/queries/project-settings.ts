import { readProjectSettings } from '../../db/queries/project-settings';
import { DEFAULT_SETTINGS } from '../core/operation';
import type { ProjectSettingsView, QueryContext } from './views';

/** What the project's conclusions depend on, as it is now and not as it was when the caller was let in. */
export async function getProjectSettings(ctx: QueryContext): Promise<ProjectSettingsView> {
  const stored = await readProjectSettings(ctx.db.sql, ctx.project.id);
  if (!stored) throw new Error('the project is gone');
  const { version, settings, profiles, ruleSets, changedAt, changedBy } = stored;
  return { version, settings, defaults: DEFAULT_SETTINGS, ...profiles, ruleSets, changedAt, changedBy };
}
