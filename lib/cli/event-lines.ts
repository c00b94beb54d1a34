import { createInterface } from 'node:readline';
import { CommandFailure } from './command-failure';
import { openInput, unreadable } from './read-input';

/** One event of the input as a line of JSON, and how many bytes of the input are behind it. */
export interface EventLine {
  line: string;
  bytes: number;
}

/**
 * The events of a file: one event, an array, `{"events": […]}`, or NDJSON, told apart by what is there and not by the
 * name. NDJSON is read line by line, so its size doesn't matter; a line that is no JSON goes along for the server
 * to judge.
 */
async function* readEventLines(path: string): AsyncGenerator<EventLine> {
  const input = openInput(path);
  const lines = createInterface({ input, crlfDelay: Infinity });
  const held: string[] = [];
  let bytes = 0;
  let mode = 'unknown' as 'unknown' | 'ndjson' | 'document';
  try {
    for await (const raw of lines as AsyncIterable<string>) {
      bytes += Buffer.byteLength(raw) + 1;
      const line: string = mode === 'unknown' ? raw.replace(/^\uFEFF/, '') : raw;
      if (mode === 'unknown' && line.trim() !== '') mode = isEventLine(line) ? 'ndjson' : 'document';
      if (mode === 'document') held.push(line);
      else if (line.trim() !== '') yield { line, bytes };
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  if (mode !== 'document') return;
  for (const event of splitDocument(held.join('\n'), path)) yield { line: JSON.stringify(event), bytes };
}

/** A first line that is a whole event by itself: then every line is one. */
function isEventLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !('events' in value);
  } catch {
    return false;
  }
}

function splitDocument(text: string, path: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandFailure('invalid_json', `${path} is neither JSON nor NDJSON.`);
  }
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'object' && value !== null && 'events' in value && Array.isArray(value.events)) {
    return value.events as unknown[];
  }
  return [value];
}

export interface LineBatch {
  /** Place of the first line among all events, from 0. */
  first: number;
  lines: string[];
  /** Bytes of the input that are behind this batch's last line. */
  bytes: number;
}

const BATCH_LINES_MAX = 1_000;
const BATCH_CHARACTERS_MAX = 2 * 2 ** 20;

/** The events in batches well below the server's bounds (5,000 events, 10 MiB). */
export async function* batchEventLines(path: string): AsyncGenerator<LineBatch> {
  let batch: LineBatch = { first: 0, lines: [], bytes: 0 };
  let characters = 0;
  for await (const { line, bytes } of readEventLines(path)) {
    const full = batch.lines.length >= BATCH_LINES_MAX || characters + line.length > BATCH_CHARACTERS_MAX;
    if (full && batch.lines.length > 0) {
      yield batch;
      batch = { first: batch.first + batch.lines.length, lines: [], bytes };
      characters = 0;
    }
    batch.lines.push(line);
    batch.bytes = bytes;
    characters += line.length;
  }
  if (batch.lines.length > 0) yield batch;
}
