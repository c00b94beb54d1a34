import { z } from 'zod';
import { actOnItem, noteSchema, parseInput, versionSchema } from './act';
import type { ChangedItem, VerbContext, VerbResult } from './context';

export const snoozeSchema = z.object({
  version: versionSchema,
  /** ISO 8601 with an offset, or epoch ms. */
  until: z.union([z.iso.datetime({ offset: true }), z.int().min(0).max(8.64e15)]),
  note: noteSchema.optional(),
});

/** Puts the item aside until an instant, never longer than the project's `snoozeMaxMs`. */
export async function snoozeReviewItem(ctx: VerbContext, id: string, body: unknown): Promise<VerbResult<ChangedItem>> {
  const input = parseInput(snoozeSchema, body);
  if (!input.ok) return input;
  const { version, note } = input.value;
  const until = new Date(input.value.until).getTime();
  const latest = ctx.now + ctx.project.settings.snoozeMaxMs;
  if (until <= ctx.now || until > latest) {
    const detail = `It must lie ahead, and before ${new Date(latest).toISOString()}.`;
    return { ok: false, refusal: { code: 'invalid_request', faults: [{ pointer: '/until', detail }] } };
  }
  return actOnItem(ctx, 'snooze', { id, version }, (item, to) =>
    Promise.resolve({
      ok: true,
      value: {
        item: { ...item, state: to, leaseUntil: null, snoozedUntil: until },
        action: 'snoozed',
        oldValue: { state: item.state },
        newValue: { state: to, until: new Date(until).toISOString() },
        note: note ?? null,
      },
    }),
  );
}
