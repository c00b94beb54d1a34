import { createHmac, hash } from 'node:crypto';

/** First 8 bytes of SHA-256 as a signed 64-bit number, the form PostgreSQL's bigint takes. */
export function hash64(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigInt64BE(0);
}

export type HashPurpose = 'idempotency_key' | 'credential' | 'identity';

/**
 * Keyed hash of something secret: equal inputs of one project and purpose stay equal, nothing leads back.
 * @returns 32 hexadecimal characters of HMAC-SHA256.
 */
export function keyedHash(secret: Uint8Array, purpose: HashPurpose, value: string): string {
  return createHmac('sha256', secret).update(purpose).update('\0').update(value).digest('hex').slice(0, 32);
}
