import { z } from 'zod';
import { readLastEpisode } from '../../../db/queries/review';
import { actOnItem, noteSchema, parseInput, versionSchema } from './act';
import type { ChangedItem, VerbContext, VerbResult } from './context';

export const reopenSchema = z.object({ version: versionSchema, note: noteSchema.optional() });

/**
 * Takes a resolution back. What had settled the item, if it was evidence, doesn't settle it again: only a new fact can.
 * An episode that a newer one has followed stays closed.
 */
export async function reopenReviewItem(ctx: VerbContext, id: string, body: unknown): Promise<VerbResult<ChangedItem>> {
  const input = parseInput(reopenSchema, body);
  if (!input.ok) return input;
  const { version, note } = input.value;
  return actOnItem(ctx, 'reopen', { id, version }, async (item, to, tx) => {
    if ((await readLastEpisode(tx.sql, ctx.project.id, item.operationId)) > item.episode) {
      return { ok: false, refusal: { code: 'wrong_state' } };
    }
    return {
      ok: true,
      value: {
        item: {
          ...item,
          state: to,
          assignee: null,
          resolution: null,
          resolutionNote: null,
          resolvedAt: null,
          resolvedBy: null,
          facts: { ...item.facts, reopened: true },
        },
        action: 'reopened',
        oldValue: { state: item.state, resolution: item.resolution, note: item.resolutionNote },
        newValue: { state: to },
        note: note ?? null,
        touches: true,
      },
    };
  });
}
