import { parseAsNativeArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { KINDS, PROFILES } from '@/lib/core/attempt';
import { ACTIONS } from '@/lib/core/verdict';
import { RANGE_WORDS } from '@/lib/present/range';

/**
 * The URL's part that every page shares, as nuqs writes it from the browser; the server reads the same names with
 * `readScope`. Several values of one field are repeated (`code=A&code=B`), as the API takes them.
 */
export const rangeParsers = {
  last: parseAsStringLiteral(RANGE_WORDS),
  from: parseAsString,
  to: parseAsString,
  tz: parseAsString,
};

const texts = parseAsNativeArrayOf(parseAsString);

export const filterParsers = {
  service: texts,
  call: texts,
  kind: parseAsNativeArrayOf(parseAsStringLiteral(KINDS)),
  code: texts,
  action: parseAsNativeArrayOf(parseAsStringLiteral(ACTIONS)),
  profile: parseAsNativeArrayOf(parseAsStringLiteral(PROFILES)),
  target: texts,
  sdk: texts,
  environment: texts,
};

/** A page number that means nothing once the list is another one. */
export const cursorParsers = { cursor: parseAsString };
