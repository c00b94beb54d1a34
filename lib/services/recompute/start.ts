import { z } from 'zod';
import { readProjectSettings } from '../../../db/queries/project-settings';
import { findActiveJob, insertJob, type NewRecomputeJob, type RecomputeJob } from '../../../db/queries/recompute';
import { findHorizon } from '../../../db/queries/recompute-range';
import { ensureSettleTurn } from '../../../db/queries/touch';
import { inTransaction } from '../../../db/transaction';
import { may } from '../../core/permission';
import type { SettingsChange } from '../../core/settings-change';
import { timeUuid } from '../../platform/ids';
import { faultsOf, type InputFault } from '../parse-input';
import { recordAudit } from '../record-audit';
import { toChange, type ProjectContext } from '../project/change-settings';
import { closed, settingsChangeSchema } from '../project/settings-schema';

/** Events may lie so far ahead of our clock; a range without an end takes them in. */
const AHEAD_MS = 10 * 60_000;

const instant = z.union([z.iso.datetime({ offset: true }), z.int().min(0).max(8.64e15)], {
  error: 'an instant: ISO 8601 with an offset, or epoch milliseconds',
});
const rangeShape = { from: instant.optional(), to: instant.optional() };

/** Everything stored, unless `from` or `to` cut it: half-open, by an operation's first attempt. */
export const recomputeInput = closed(rangeShape);

/** A change as for the settings, without a version, and the range to try it on. */
export const whatIfInput = closed({ ...settingsChangeSchema.shape, ...rangeShape });

export type StartRefusal =
  | { code: 'forbidden' | 'not_found' }
  | { code: 'invalid_request'; faults: InputFault[] }
  | { code: 'already_running'; job: RecomputeJob | null };

export type StartResult = { ok: true; value: { id: string } } | { ok: false; refusal: StartRefusal };

/** Concludes the stored operations of a range again, in the background. */
export async function startRecompute(ctx: ProjectContext, body: unknown): Promise<StartResult> {
  if (!may(ctx.role, 'rules.manage')) return { ok: false, refusal: { code: 'forbidden' } };
  const parsed = recomputeInput.safeParse(body);
  return parsed.success ? start(ctx, 'apply', null, parsed.data) : refuseInput(parsed.error);
}

/** Counts in the background what a change of settings would move, and changes nothing. */
export async function startWhatIf(ctx: ProjectContext, body: unknown): Promise<StartResult> {
  if (!may(ctx.role, 'rules.manage')) return { ok: false, refusal: { code: 'forbidden' } };
  const parsed = whatIfInput.safeParse(body);
  if (!parsed.success) return refuseInput(parsed.error);
  const { from, to, ...change } = parsed.data;
  return start(ctx, 'preview', toChange(change), { from, to });
}

function refuseInput(error: z.ZodError): StartResult {
  return { ok: false, refusal: { code: 'invalid_request', faults: faultsOf(error) } };
}

interface RangeInput {
  from?: string | number | undefined;
  to?: string | number | undefined;
}

async function start(
  ctx: ProjectContext,
  mode: RecomputeJob['mode'],
  change: SettingsChange | null,
  input: RangeInput,
): Promise<StartResult> {
  const horizon = await findHorizon(ctx.db.sql, ctx.project.id);
  const from = Math.max(horizon, new Date(input.from ?? 0).getTime());
  const to = input.to === undefined ? ctx.now + AHEAD_MS : new Date(input.to).getTime();
  if (from >= to) return { ok: false, refusal: { code: 'invalid_request', faults: [emptyRange(horizon, to)] } };
  return inTransaction(ctx.db, async (tx): Promise<StartResult> => {
    const settings = await readProjectSettings(tx.sql, ctx.project.id);
    if (!settings) return { ok: false, refusal: { code: 'not_found' } };
    const id = timeUuid(ctx.now);
    const { name: requestedBy } = ctx.actor;
    const settingsVersion = settings.version;
    const job: NewRecomputeJob = { id, mode, change, from, to, settingsVersion, requestedBy, createdAt: ctx.now };
    await ensureSettleTurn(tx.sql, ctx.project.id);
    if (!(await insertJob(tx.sql, ctx.project.id, job))) {
      const active = await findActiveJob(tx.sql, ctx.project.id);
      return { ok: false, refusal: { code: 'already_running', job: active } };
    }
    await recordAudit(tx, ctx, {
      projectId: ctx.project.id,
      action: mode === 'apply' ? 'recompute.started' : 'what_if.started',
      subject: id,
      detail: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...(change ? { change } : {}) },
    });
    return { ok: true, value: { id } };
  });
}

function emptyRange(horizon: number, to: number): InputFault {
  const detail =
    to <= horizon
      ? `Nothing is stored from before ${new Date(horizon).toISOString()}.`
      : '`from` must lie before `to`.';
  return { pointer: '/from', detail };
}
