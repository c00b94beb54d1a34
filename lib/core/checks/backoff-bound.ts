/** What a declared backoff allows: shared by M9, M12 and M23. */

/** The guide's own base and cap, where nobody declared others. */
export const QUILLHUB_BASE_MS = 1_000;
export const QUILLHUB_CAP_MS = 30_000;

/** Bound of a step's wait, ms: min(cap, base · 2^step); steps count from 0. */
export function boundMsOf(step: number, baseMs: number, capMs: number | undefined): number {
  return Math.min(capMs ?? Infinity, baseMs * 2 ** Math.min(step, 60));
}

/** Full jitter is the rule (QuillHub) or was declared (X16). */
export function isFullJitter(profile: string, jitter: string | undefined): boolean {
  return profile === 'quillhub' || jitter?.trim().toLowerCase() === 'full';
}
