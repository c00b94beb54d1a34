import { z } from 'zod';
import { actOnItem, noteSchema, parseInput, versionSchema } from './act';
import type { ChangedItem, VerbContext, VerbResult } from './context';

export const releaseSchema = z.object({ version: versionSchema, note: noteSchema.optional() });

/** Gives a claimed item back to the queue: its holder, or a lead for somebody else. */
export async function releaseReviewItem(ctx: VerbContext, id: string, body: unknown): Promise<VerbResult<ChangedItem>> {
  const input = parseInput(releaseSchema, body);
  if (!input.ok) return input;
  const { version, note } = input.value;
  return actOnItem(ctx, 'release', { id, version }, (item, to) =>
    Promise.resolve({
      ok: true,
      value: {
        item: { ...item, state: to, assignee: null, leaseUntil: null },
        action: 'released',
        oldValue: { state: item.state, assignee: item.assignee?.name ?? null },
        newValue: { state: to, assignee: null },
        note: note ?? null,
      },
    }),
  );
}
