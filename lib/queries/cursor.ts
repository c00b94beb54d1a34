import { QueryInputError } from './range';

type Part = string | number;
type Kinds = readonly ('string' | 'number')[];

const CURSOR_LENGTH_MAX = 2_000;

/** An opaque text that names the last row of a page by its sort key. */
export function encodeCursor(parts: readonly Part[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * @param kinds the types of the sort key's parts.
 * @throws QueryInputError when the text wasn't made by `encodeCursor` for this sort.
 */
export function decodeCursor(cursor: string, kinds: Kinds): Part[] {
  const parts = parseParts(cursor);
  const fits =
    parts.length === kinds.length &&
    parts.every((part, i) => typeof part === kinds[i] && (typeof part === 'string' || Number.isFinite(part)));
  if (!fits) throw new QueryInputError('cursor', 'The cursor is not one of this list.');
  return parts;
}

function parseParts(cursor: string): Part[] {
  if (cursor.length > CURSOR_LENGTH_MAX || !/^[A-Za-z0-9_-]+$/.test(cursor)) return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? (value as Part[]) : [];
  } catch {
    return [];
  }
}

/** Cuts the one row read too many and makes the cursor of the last that stays. */
export function cutPage<T>(
  rows: readonly T[],
  limit: number,
  keyOf: (row: T) => readonly Part[],
): { rows: T[]; nextCursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}
