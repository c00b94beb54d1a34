import { z } from 'zod';
import { RESOLUTIONS } from '../../core/operation';
import { actOnItem, noteSchema, parseInput, versionSchema } from './act';
import type { ChangedItem, VerbContext, VerbResult } from './context';

const EVIDENCE_LENGTH_MAX = 2_000;
const EVIDENCE_ITEMS_MAX = 20;

export const resolveSchema = z.object({
  version: versionSchema,
  resolution: z.enum(RESOLUTIONS),
  note: noteSchema,
  /** What it rests on: ids found, a link, a sentence. */
  evidence: z
    .union([
      z.string().trim().min(1).max(EVIDENCE_LENGTH_MAX),
      z.array(z.string().trim().min(1).max(EVIDENCE_LENGTH_MAX)).max(EVIDENCE_ITEMS_MAX),
    ])
    .optional(),
});

/** A person's judgement, always with a reason. It is a fact of the operation, which is settled anew by it. */
export async function resolveReviewItem(ctx: VerbContext, id: string, body: unknown): Promise<VerbResult<ChangedItem>> {
  const input = parseInput(resolveSchema, body);
  if (!input.ok) return input;
  const { version, resolution, note, evidence } = input.value;
  return actOnItem(ctx, 'resolve', { id, version }, (item, to) =>
    Promise.resolve({
      ok: true,
      value: {
        item: {
          ...item,
          state: to,
          leaseUntil: null,
          snoozedUntil: null,
          resolution,
          resolutionNote: note,
          resolvedAt: ctx.now,
          resolvedBy: ctx.actor.name,
        },
        action: 'resolved',
        oldValue: { state: item.state, assignee: item.assignee?.name ?? null },
        newValue: { state: to, resolution, ...(evidence === undefined ? {} : { evidence }) },
        note,
        touches: true,
      },
    }),
  );
}
