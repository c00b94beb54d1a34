import { isAscii } from 'node:buffer';
import { once } from 'node:events';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { ProblemCode } from '../platform/problem';
import { ok, refuse, type Result } from '../core/result';
import type { ByteLease } from './byte-budget';
import type { BodyEncoding } from './content';

export const BODY_BYTES_MAX = 10 * 1024 * 1024;

export type BodyRefusal = Extract<
  ProblemCode,
  'payload_too_large' | 'overloaded' | 'malformed_compression' | 'invalid_encoding' | 'incomplete_body'
>;

export interface BodyOptions {
  encoding: BodyEncoding;
  /** Decoded. */
  bytesMax: number;
  /** Each line is decoded alone: one that is not UTF-8 becomes a lone U+FFFD, which no reader of lines takes. */
  lines: boolean;
  /** Grows with every decoded byte, so that all bodies together stay bounded. */
  lease: ByteLease;
}

class Refused extends Error {
  constructor(readonly code: BodyRefusal) {
    super(code);
  }
}

/** Collects chunks up to the bounds. */
class Collector {
  readonly chunks: Uint8Array[] = [];
  private bytes = 0;

  constructor(private readonly options: BodyOptions) {}

  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.options.bytesMax) throw new Refused('payload_too_large');
    if (!this.options.lease.grow(chunk.byteLength)) throw new Refused('overloaded');
    this.chunks.push(chunk);
  }
}

/** HTTP's deflate is zlib's format; some clients send the bare one. The first two bytes tell. */
function createDecoder(encoding: Exclude<BodyEncoding, 'identity'>, first: Uint8Array): Transform {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  const [a = 0, b = 0] = first;
  const zlib = (a & 0x0f) === 8 && (first.length < 2 || ((a << 8) | b) % 31 === 0);
  return zlib ? createInflate() : createInflateRaw();
}

async function collectDecoded(decoder: Transform, collector: Collector): Promise<void> {
  for await (const chunk of decoder) collector.add(chunk as Uint8Array);
}

async function readCompressed(
  body: AsyncIterable<Uint8Array>,
  encoding: Exclude<BodyEncoding, 'identity'>,
  collector: Collector,
): Promise<void> {
  let decoder: Transform | null = null;
  let decoded: Promise<unknown> = Promise.resolve();
  let failure: unknown = null;
  try {
    for await (const chunk of body) {
      if (chunk.byteLength === 0) continue;
      if (!decoder) {
        decoder = createDecoder(encoding, chunk);
        decoded = collectDecoded(decoder, collector).catch((error: unknown) => {
          failure = error ?? new Error('unknown');
        });
      }
      // Whatever stopped the decoder, writing on would only fail again.
      if (failure) break;
      if (!decoder.write(chunk)) await Promise.race([once(decoder, 'drain').catch(() => undefined), decoded]);
    }
    if (!decoder) throw new Refused('malformed_compression');
    decoder.end();
    await decoded;
  } finally {
    decoder?.destroy();
  }
  if (failure) throw failure instanceof Refused ? failure : new Refused('malformed_compression');
}

async function readPlain(body: AsyncIterable<Uint8Array>, collector: Collector): Promise<void> {
  for await (const chunk of body) collector.add(chunk);
}

function joinChunks(chunks: Uint8Array[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first
    ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    : Buffer.concat(chunks);
}

/** Fatal UTF-8; one byte order mark at the start is dropped, or kept as a character with `ignoreBOM`. */
export function decodeUtf8(bytes: Buffer, ignoreBOM = false): string | null {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return null;
  }
}

const LINE_FEED = 0x0a;
const BAD_LINE = '\uFFFD';

/** Lines of UTF-8 that are judged alone; the number of lines stays what it was. */
function decodeUtf8Lines(bytes: Buffer): string {
  const lines: string[] = [];
  for (let from = 0; from <= bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const end = feed < 0 ? bytes.length : feed;
    lines.push(decodeUtf8(bytes.subarray(from, end), from > 0) ?? BAD_LINE);
    from = end + 1;
  }
  return lines.join('\n');
}

/** Reads, decompresses and decodes a body within its bounds; the lease stays held until the caller releases it. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  options: BodyOptions,
): Promise<Result<string, BodyRefusal>> {
  const collector = new Collector(options);
  try {
    if (options.encoding === 'identity') await readPlain(body, collector);
    else await readCompressed(body, options.encoding, collector);
  } catch (error) {
    // What is left is the transport's own: the sender went away.
    return refuse(error instanceof Refused ? error.code : 'incomplete_body');
  }
  const bytes = joinChunks(collector.chunks);
  const text = decodeUtf8(bytes);
  if (text !== null) return ok(text);
  return options.lines ? ok(decodeUtf8Lines(bytes)) : refuse('invalid_encoding');
}
