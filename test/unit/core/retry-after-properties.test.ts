import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DELAY_MS_MAX, parseRetryAfter, RETRY_AFTER_FORMS } from '@/lib/core/retry-after';

describe('parseRetryAfter, any text', () => {
  it('never throws and never gives a wait outside 0…2³¹ s', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.constantFrom('Mon, 02 Mar 2026 10:00:30 GMT', '5, 10', '2026-03-02T10:00:30Z', ',', '\t', '2s'),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 5 }),
        fc.option(piece),
        fc.option(piece),
        fc.double(),
        (lines, d, a, at) => {
          const got = parseRetryAfter(lines, { receivedAt: at, dateHeader: d ?? undefined, ageHeader: a ?? undefined });
          expect((got.form === null) === (got.delayMs === null)).toBe(true);
          if (got.form !== null) expect(RETRY_AFTER_FORMS).toContain(got.form);
          if (got.delayMs !== null && Number.isFinite(at)) {
            expect(got.delayMs).toBeGreaterThanOrEqual(0);
            expect(got.delayMs).toBeLessThanOrEqual(DELAY_MS_MAX);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
