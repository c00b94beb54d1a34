import { keyedHash } from '@/lib/platform/hash';
import { createMasker, type Masker, type MaskOptions } from '@/lib/platform/mask';

/** What a text may hold at most once it is stored; longer ones are cut and counted. */
export const TEXT_CHARACTERS_MAX = 4_000;
const UNKEEPABLE = /[\0\ud800-\udfff]/gu;

/** Cleans, masks and hashes the texts of one request's events, and counts what it did. */
export interface Cleaner {
  /** Free text: U+FFFD for what can't be kept, secrets masked, cut. */
  text(value: string): string;
  /** As `text`, for a value under a name that may itself be secret. */
  named(name: string, value: string): string;
  /** A name that tells things apart. */
  name(value: string): string;
  /** Keyed hash of an idempotency key, without its one pair of quotes (a structured field's string). */
  idempotencyKey(value: string): string;
  credential(value: string): string;
  counts(): { sanitized: number; redacted: number };
}

export function createCleaner(hashSecret: Uint8Array): Cleaner {
  return new CountingCleaner(hashSecret);
}

/** A class and not closures: one is made for every request. */
class CountingCleaner implements Cleaner, MaskOptions {
  private sanitized = 0;
  private readonly masker: Masker;
  private credentials: Map<string, string> | null = null;

  constructor(private readonly hashSecret: Uint8Array) {
    this.masker = createMasker(this);
  }

  /** Keeps masked identifiers apart. */
  hash(value: string): string {
    return keyedHash(this.hashSecret, 'identity', value);
  }

  text(value: string): string {
    return this.cut(this.masker.text(this.keep(value)));
  }

  named(name: string, value: string): string {
    return this.cut(this.masker.named(name, this.keep(value)));
  }

  name(value: string): string {
    return this.masker.identifier(value);
  }

  idempotencyKey(value: string): string {
    return keyedHash(this.hashSecret, 'idempotency_key', stripQuotes(value));
  }

  credential(value: string): string {
    this.credentials ??= new Map<string, string>();
    const known = this.credentials.get(value);
    if (known !== undefined) return known;
    const made = keyedHash(this.hashSecret, 'credential', value);
    this.credentials.set(value, made);
    return made;
  }

  counts(): { sanitized: number; redacted: number } {
    return { sanitized: this.sanitized, redacted: this.masker.count() };
  }

  private keep(value: string): string {
    const kept = value.replace(UNKEEPABLE, '\ufffd');
    if (kept !== value) this.sanitized += 1;
    return kept;
  }

  private cut(value: string): string {
    if (value.length <= TEXT_CHARACTERS_MAX) return value;
    this.sanitized += 1;
    // A cut through a pair would leave half of it.
    return value.slice(0, TEXT_CHARACTERS_MAX - 1).replace(UNKEEPABLE, '') + '…';
  }
}

function stripQuotes(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
