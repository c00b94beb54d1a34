import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { errorCode } from '@/lib/platform/plain-error';
import { CommandFailure } from './command-failure';

/** A file's bytes as they come, or those of standard input for `-`. */
export function openInput(path: string): Readable {
  return path === '-' ? process.stdin : createReadStream(path);
}

/** Size in bytes; null for what has none. */
export async function inputBytes(path: string): Promise<number | null> {
  if (path === '-') return null;
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The whole text of a file, or of standard input for `-`; without a byte order mark. */
export async function readInput(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of openInput(path)) chunks.push(chunk as Buffer);
  } catch (error) {
    throw unreadable(path, error);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

export function unreadable(path: string, error: unknown): CommandFailure {
  return new CommandFailure('unreadable_input', `${path} can't be read (${errorCode(error) || String(error)}).`);
}
