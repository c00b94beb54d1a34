/** Headers that say what a body is. */

export type BodyFormat = 'json' | 'ndjson';
export type BodyEncoding = 'identity' | 'gzip' | 'br' | 'deflate';

// Maps and not objects: a header may say `constructor`.
const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
]);

/** Parameters are ignored but for `charset`, which must be UTF-8 where it is given. */
export function parseContentType(header: string | undefined): BodyFormat | null {
  if (!header) return null;
  const [type = '', ...parameters] = header.split(';');
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'charset') continue;
    if (!/^"?utf-?8"?$/i.test(value.trim())) return null;
  }
  return FORMATS.get(type.trim().toLowerCase()) ?? null;
}

const ENCODINGS: ReadonlyMap<string, BodyEncoding> = new Map([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['deflate', 'deflate'],
]);

/** One encoding; chains of them are refused. */
export function parseContentEncoding(header: string | undefined): BodyEncoding | null {
  return ENCODINGS.get((header ?? '').trim().toLowerCase()) ?? null;
}

/** `Prefer: handling=strict` (RFC 7240), among other preferences. */
export function prefersStrict(values: string[]): boolean {
  return values.some((value) => value.split(/[,;]/).some((part) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(part)));
}
