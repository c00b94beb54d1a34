import { keyedHash } from '@/lib/platform/hash';
import { createMasker, type Masker } from '@/lib/platform/mask';

/** What a text may hold at most once it is stored; longer ones are cut and counted. */
export const TEXT_CHARACTERS_MAX = 4_000;
const UNKEEPABLE = /[\0\ud800-\udfff]/gu;

/** Cleans, masks and hashes the texts of one request's events, and counts what it did. */
export interface Cleaner {
  /** Free text: U+FFFD for what can't be kept, secrets masked, cut. */
  text: (value: string) => string;
  /** As `text`, for a value under a name that may itself be secret. */
  named: (name: string, value: string) => string;
  /** A name that tells things apart. */
  name: (value: string) => string;
  /** Keyed hash of an idempotency key, without its one pair of quotes (a structured field's string). */
  idempotencyKey: (value: string) => string;
  credential: (value: string) => string;
  counts: () => { sanitized: number; redacted: number };
}

export function createCleaner(hashSecret: Uint8Array): Cleaner {
  let sanitized = 0;
  const masker: Masker = createMasker({ hash: (value) => keyedHash(hashSecret, 'identity', value) });
  const credentials = new Map<string, string>();
  const keep = (value: string): string => {
    const kept = value.replace(UNKEEPABLE, '\ufffd');
    if (kept !== value) sanitized += 1;
    return kept;
  };
  const cut = (value: string): string => {
    if (value.length <= TEXT_CHARACTERS_MAX) return value;
    sanitized += 1;
    // A cut through a pair would leave half of it.
    return value.slice(0, TEXT_CHARACTERS_MAX - 1).replace(UNKEEPABLE, '') + '…';
  };
  return {
    text: (value) => cut(masker.text(keep(value))),
    named: (name, value) => cut(masker.named(name, keep(value))),
    name: (value) => masker.identifier(value),
    idempotencyKey: (value) => keyedHash(hashSecret, 'idempotency_key', stripQuotes(value)),
    credential: (value) => {
      const known = credentials.get(value);
      if (known !== undefined) return known;
      const made = keyedHash(hashSecret, 'credential', value);
      credentials.set(value, made);
      return made;
    },
    counts: () => ({ sanitized, redacted: masker.count() }),
  };
}

function stripQuotes(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
