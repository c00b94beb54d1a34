import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The text of an API key: `rb_<scope>_<id>_<secret><checksum>`.
 * The checksum covers all before it, so a typing error is refused and a pasted key is recognised without the database.
 */

export const KEY_SCOPES = ['ingest', 'read', 'operate'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export interface KeyText {
  scope: KeyScope;
  /** Public part, 10 characters: the row is looked up by it. */
  keyId: string;
  /** 32 base62 characters, 190 bits. */
  secret: string;
  text: string;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 10;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = `rb_(ingest|read|operate)_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})`;
const WHOLE = new RegExp(`^${FORM}$`);

/** A new key of this scope. */
export function makeKeyText(scope: KeyScope): KeyText {
  const keyId = randomBase62(ID_LENGTH);
  const secret = randomBase62(SECRET_LENGTH);
  const body = `rb_${scope}_${keyId}_${secret}`;
  return { scope, keyId, secret, text: body + checksum(body) };
}

/** The parts of a key, or null when the text isn't one or its checksum is wrong. */
export function parseKeyText(text: string): KeyText | null {
  const match = WHOLE.exec(text);
  if (!match) return null;
  const [, scope, keyId, secret, sum] = match as unknown as [string, KeyScope, string, string, string];
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === sum ? { scope, keyId, secret, text } : null;
}

/** True for a text that is one of our keys. */
export function isOwnKey(text: string): boolean {
  return parseKeyText(text) !== null;
}

/** Replaces every one of our keys inside a longer text; linear in its length. */
export function maskOwnKeys(text: string, replacement: string): { text: string; count: number } {
  let count = 0;
  if (!text.includes('rb_')) return { text, count };
  const masked = text.replace(new RegExp(FORM, 'g'), (found) => {
    if (!isOwnKey(found)) return found;
    count += 1;
    return replacement;
  });
  return { text: masked, count };
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
