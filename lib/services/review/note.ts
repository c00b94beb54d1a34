import { z } from 'zod';
import { actOnItem, noteSchema, parseInput, versionSchema } from './act';
import type { ChangedItem, VerbContext, VerbResult } from './context';

export const noteInputSchema = z.object({ version: versionSchema, note: noteSchema });

/** Adds a note to the item's history, whatever its state. */
export async function noteReviewItem(ctx: VerbContext, id: string, body: unknown): Promise<VerbResult<ChangedItem>> {
  const input = parseInput(noteInputSchema, body);
  if (!input.ok) return input;
  const { version, note } = input.value;
  return actOnItem(ctx, 'note', { id, version }, (item) =>
    Promise.resolve({ ok: true, value: { item, action: 'noted', oldValue: null, newValue: null, note } }),
  );
}
