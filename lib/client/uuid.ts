import { randomFillSync } from 'node:crypto';

const HEX_DIGITS = 16;

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(HEX_DIGITS).padStart(2, '0')).join('');
}

/**
 * UUID version 7 (RFC 9562 §5.7): starts with the event's time, so that the server's ledger grows at one end.
 * @param atMs epoch ms
 * @param random ten bytes; the system's own when left out
 */
export function makeUuidV7(atMs: number, random: Uint8Array = randomFillSync(new Uint8Array(10))): string {
  const bytes = new Uint8Array(16);
  let rest = Math.max(0, Math.trunc(atMs));
  for (let index = 5; index >= 0; index -= 1) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
