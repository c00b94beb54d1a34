/** The zone that times are shown in: chosen once by the viewer, an IANA name, `UTC` until then. */

export const DEFAULT_ZONE = 'UTC';

/** @returns true for a name that `Intl` knows and that is a place or UTC, not an offset such as `+03:00`. */
export function isZone(name: string | undefined): name is string {
  if (!name || name.length > 64 || !/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

export function pickZone(chosen: string | undefined): string {
  return isZone(chosen) ? chosen : DEFAULT_ZONE;
}

/** Every zone that can be chosen, UTC first. */
export function listZones(): string[] {
  return [DEFAULT_ZONE, ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== DEFAULT_ZONE)];
}
