import { hash, randomBytes } from 'node:crypto';
import type { Dimension } from '@/lib/core/rollup';
import { hash64 } from './hash';

/**
 * UUIDv8 (RFC 9562 §5.8): 48 bits of Unix milliseconds, then bits of SHA-256 over `content`.
 * Equal content gives an equal id, and the ledger's index grows at one end.
 */
export function contentUuid(atMs: number, content: string): string {
  const digest = hash('sha256', content, 'hex');
  const time = Math.max(0, Math.min(Math.trunc(atMs), 0xffff_ffff_ffff))
    .toString(16)
    .padStart(12, '0');
  const variant = '89ab'.charAt(parseInt(digest.charAt(3), 16) & 3);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

/** UUIDv7 (RFC 9562 §5.7) for the given instant. */
export function timeUuid(atMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.trunc(atMs)), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The `dimension.id` of a dimension: 8 bytes of SHA-256 over its columns, so every process agrees without asking. */
export function dimensionId(dimension: Dimension): bigint {
  return hash64(
    JSON.stringify([
      dimension.service,
      dimension.call,
      dimension.kind,
      dimension.code,
      dimension.action,
      dimension.profile,
      dimension.target,
      dimension.sdk,
      dimension.environment,
    ]),
  );
}
