import { OTHER_COLOR, SERIES_COLORS } from './theme';

/** Key of everything outside the top; a NUL can be in no real key. */
export const OTHER_KEY = '\u0000other';

function hashKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/**
 * Colour of each key, by the key itself and not by its rank, so that a code keeps its colour from hour to hour.
 * The order of the keys does not matter; a collision goes to the next free colour.
 */
export function assignColours(keys: readonly string[]): Map<string, string> {
  const colours = new Map<string, string>();
  const taken = new Set<number>();
  for (const key of [...keys].sort()) {
    if (key === OTHER_KEY) continue;
    let place = hashKey(key) % SERIES_COLORS.length;
    for (let tries = 0; taken.has(place) && tries < SERIES_COLORS.length; tries += 1)
      place = (place + 1) % SERIES_COLORS.length;
    taken.add(place);
    colours.set(key, SERIES_COLORS[place]!);
  }
  if (keys.includes(OTHER_KEY)) colours.set(OTHER_KEY, OTHER_COLOR);
  return colours;
}
