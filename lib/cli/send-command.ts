import { setTimeout as sleep } from 'node:timers/promises';
import { postBatch, type PostOptions, type PostResult, type Rejection } from '@/lib/client/post-batch';
import { isOwnKey } from '@/lib/platform/key-text';
import { CommandFailure, EXIT } from './command-failure';
import { batchEventLines, type LineBatch } from './event-lines';
import { inputBytes } from './read-input';
import type { Progress, Terminal } from './terminal';

export interface SendOptions {
  url: string;
  key: string;
  /** How long to go on when the server can't be reached or asks to wait, seconds. */
  patience: number;
}

interface Tally {
  events: number;
  accepted: number;
  duplicates: number;
  conflicts: number;
  rejected: Rejection[];
}

const PARALLEL = 3;
const LISTED_MAX = 20;
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 10_000;

/**
 * Sends the events of a file. Safe to repeat whole after any end: the ids alone decide what counts.
 * @throws CommandFailure exit code 1 when events were refused, 3 when the server couldn't take them now
 */
export async function sendCommand(terminal: Terminal, path: string, options: SendOptions): Promise<void> {
  if (!isOwnKey(options.key))
    throw new CommandFailure('invalid_key', 'This is not a Readback key: a letter is wrong or missing.');
  const size = await inputBytes(path);
  const progress = terminal.progress(size ?? 0, size === null ? 'events' : 'bytes');
  const tally: Tally = { events: 0, accepted: 0, duplicates: 0, conflicts: 0, rejected: [] };
  try {
    await sendAll(path, options, tally, (batch) => report(progress, size, batch, tally));
  } finally {
    progress.stop();
  }
  tally.rejected.sort((a, b) => a.index - b.index);
  terminal.result(tally, describe(tally));
  if (tally.rejected.length > 0) {
    throw new CommandFailure('events_rejected', `${tally.rejected.length} of ${tally.events} events were refused.`);
  }
}

function report(progress: Progress, size: number | null, batch: LineBatch, tally: Tally): void {
  if (size === null) progress.update(tally.events, tally.events);
  else progress.update(Math.min(batch.bytes, size));
}

async function sendAll(
  path: string,
  options: SendOptions,
  tally: Tally,
  onSent: (batch: LineBatch) => void,
): Promise<void> {
  const post = makePost(options);
  const batches = batchEventLines(path);
  const failed = new AbortController();
  const worker = async (): Promise<void> => {
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      if (failed.signal.aborted) return;
      await sendBatch(next.value, post, options.patience * 1_000, tally);
      onSent(next.value);
    }
  };
  const workers = Array.from({ length: PARALLEL }, () => worker().catch((error: unknown) => failed.abort(error)));
  await Promise.all(workers);
  if (failed.signal.aborted) throw failed.signal.reason;
}

function makePost({ url, key }: SendOptions): PostOptions {
  let target: URL;
  try {
    target = new URL('/api/v1/events', url);
  } catch {
    throw new CommandFailure('invalid_url', `${url} is no address: it looks like http://localhost:3000.`, EXIT.usage);
  }
  return { url: target.href, key, gzip: true, requestTimeoutMs: 60_000, fetch: globalThis.fetch };
}

/** One batch until it is stored or refused; the wait is what the server asks, else backoff with jitter. */
async function sendBatch(batch: LineBatch, post: PostOptions, patienceMs: number, tally: Tally): Promise<void> {
  const startedAt = Date.now();
  for (let tries = 0; ; tries += 1) {
    const result = await postBatch(batch.lines, post);
    switch (result.kind) {
      case 'stored':
        return add(tally, batch, result.receipt);
      case 'refused':
        if (result.rejected.length === 0) throw refused(result.status, batch);
        return add(tally, batch, { accepted: 0, duplicates: 0, conflicts: 0, rejected: result.rejected });
      case 'unauthorized':
        throw new CommandFailure('key_refused', keyRefusal(result.status));
      case 'too_large':
        if (batch.lines.length === 1) return add(tally, batch, oneTooLarge());
        return await sendHalves(batch, post, patienceMs, tally);
      case 'again':
        await waitAgain(result, { batch, tries, deadline: startedAt + patienceMs });
    }
  }
}

async function waitAgain(
  result: Extract<PostResult, { kind: 'again' }>,
  { batch, tries, deadline }: { batch: LineBatch; tries: number; deadline: number },
): Promise<void> {
  const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
  const waitMs = result.retryAfterMs === null ? backoffMs : result.retryAfterMs + Math.random() * 250;
  if (Date.now() + waitMs > deadline) throw gaveUp(result.status, batch);
  await sleep(waitMs);
}

/** Expanded items count too, so that fewer lines than the limit can be over it. */
async function sendHalves(batch: LineBatch, post: PostOptions, patienceMs: number, tally: Tally): Promise<void> {
  const middle = Math.ceil(batch.lines.length / 2);
  await sendBatch({ ...batch, lines: batch.lines.slice(0, middle) }, post, patienceMs, tally);
  const rest = { ...batch, first: batch.first + middle, lines: batch.lines.slice(middle) };
  await sendBatch(rest, post, patienceMs, tally);
}

function add(tally: Tally, batch: LineBatch, receipt: Omit<Tally, 'events'>): void {
  tally.events += batch.lines.length;
  tally.accepted += receipt.accepted;
  tally.duplicates += receipt.duplicates;
  tally.conflicts += receipt.conflicts;
  tally.rejected.push(...receipt.rejected.map((item) => ({ ...item, index: item.index + batch.first })));
}

function oneTooLarge(): Omit<Tally, 'events'> {
  const detail = 'The event alone is larger than the server takes.';
  return {
    accepted: 0,
    duplicates: 0,
    conflicts: 0,
    rejected: [{ index: 0, pointer: '', code: 'payload_too_large', detail }],
  };
}

function keyRefusal(status: number): string {
  return status === 403
    ? 'The key is not one for sending events.'
    : 'The server does not know this key, or it was revoked.';
}

function refused(status: number, batch: LineBatch): CommandFailure {
  return new CommandFailure('request_refused', `The server refused events from ${batch.first} on (${status}).`);
}

function gaveUp(status: number | null, batch: LineBatch): CommandFailure {
  const why = status === null ? "The server can't be reached" : `The server can't take events now (${status})`;
  return new CommandFailure(
    'try_again',
    `${why}; events before ${batch.first} may be stored, and sending all again is safe.`,
    EXIT.again,
  );
}

function describe(tally: Tally): string {
  const head = `${tally.events} events: ${tally.accepted} accepted, ${tally.duplicates} duplicates, ${tally.conflicts} conflicts, ${tally.rejected.length} rejected`;
  const listed = tally.rejected
    .slice(0, LISTED_MAX)
    .map((item) => `  ${item.index}${item.pointer}: ${item.detail} (${item.code})`);
  const more = tally.rejected.length > LISTED_MAX ? [`  … and ${tally.rejected.length - LISTED_MAX} more`] : [];
  return [head, ...listed, ...more].join('\n');
}
