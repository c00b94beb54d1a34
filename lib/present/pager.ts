import { firstParam, listParam, type RawParams } from './scope';

/** Place in a keyset list as the URL keeps it: where this page starts, and where the pages before it started. */
export interface PagePlace {
  /** null on the first page. */
  cursor: string | null;
  /** Cursors of the pages passed on the way here, oldest first; the first page has none. */
  trail: string[];
}

export interface PagerParams {
  cursor: string | null;
  trail: string[];
}

const TRAIL_MAX = 25;
const CURSOR_CHARS_MAX = 1_000;

export function readPagePlace(raw: RawParams): PagePlace {
  const cursor = firstParam(raw, 'cursor');
  if (cursor === null || cursor === '' || cursor.length > CURSOR_CHARS_MAX) return { cursor: null, trail: [] };
  const trail = listParam(raw, 'trail').filter((one) => one !== '' && one.length <= CURSOR_CHARS_MAX);
  return { cursor, trail: trail.slice(-TRAIL_MAX) };
}

/** Parameters of the page before; null on the first one. */
export function previousPage(place: PagePlace): PagerParams | null {
  if (place.cursor === null) return null;
  return { cursor: place.trail.at(-1) ?? null, trail: place.trail.slice(0, -1) };
}

/** Parameters of the page after; null on the last one. */
export function nextPage(place: PagePlace, nextCursor: string | null): PagerParams | null {
  if (nextCursor === null) return null;
  const trail = place.cursor === null ? [] : [...place.trail, place.cursor];
  return { cursor: nextCursor, trail: trail.slice(-TRAIL_MAX) };
}
