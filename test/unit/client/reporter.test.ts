import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createReporter, type Reporter } from '@/lib/client/reporter';
import { readRetryAfterMs } from '@/lib/client/post-batch';

interface Post {
  at: number;
  ids: string[];
  gzipped: boolean;
  authorization: string | undefined;
}

type Answer = { status: number; headers?: Record<string, string>; body?: object } | 'reset';

interface Sink {
  url: string;
  posts: Post[];
  close: () => void;
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A listener that answers its posts in turn; the last answer repeats. */
async function startSink(answers: Answer[]): Promise<Sink> {
  const posts: Post[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const gzipped = request.headers['content-encoding'] === 'gzip';
      const body = gzipped ? gunzipSync(Buffer.concat(chunks)) : Buffer.concat(chunks);
      const ids = body
        .toString()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id);
      const answer = answers[Math.min(posts.length, answers.length - 1)] ?? 'reset';
      posts.push({ at: Date.now(), ids, gzipped, authorization: request.headers.authorization });
      if (answer === 'reset') return request.socket.resetAndDestroy();
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      const taken = { accepted: ids.length, duplicates: 0, conflicts: [], rejected: [] };
      return response.end(JSON.stringify(answer.body ?? taken));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  closers.push(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts, close };
}

function makeReporter(url: string, options: Partial<Parameters<typeof createReporter>[0]> = {}): Reporter {
  const reporter = createReporter({ url, key: 'rb_ingest_x', service: 'unit', backoffBaseMs: 5, ...options });
  closers.push(() => void reporter.close(0));
  return reporter;
}

function reportReads(reporter: Reporter, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    reporter.report({
      operationId: `op-${index}`,
      attempt: 1,
      startedAt: 1_700_000_000_000,
      call: 'GET /x',
      kind: 'read',
    }),
  );
}

describe('reporter', () => {
  it('sends what was queued in one batch, gzipped, under its key', async () => {
    const sink = await startSink([{ status: 202 }]);
    const reporter = makeReporter(sink.url);
    const ids = reportReads(reporter, 50);
    expect(await reporter.flush()).toBe(true);
    expect(sink.posts).toHaveLength(1);
    expect(sink.posts[0]).toMatchObject({ ids, gzipped: true, authorization: 'Bearer rb_ingest_x' });
    expect(reporter.stats()).toMatchObject({ queued: 0, accepted: 50, dropped: 0, resends: 0 });
  });

  it('re-sends the same ids after a reset, a 503 and a 429, and counts each event once', async () => {
    const sink = await startSink(['reset', { status: 503, body: {} }, { status: 429, body: {} }, { status: 202 }]);
    const reporter = makeReporter(sink.url);
    const ids = reportReads(reporter, 3);
    expect(await reporter.flush()).toBe(true);
    expect(sink.posts.map((post) => post.ids)).toEqual([ids, ids, ids, ids]);
    expect(reporter.stats()).toMatchObject({ accepted: 3, resends: 3 });
  });

  it('never comes back before the asked seconds are over', async () => {
    const sink = await startSink([{ status: 503, headers: { 'retry-after': '1' }, body: {} }, { status: 202 }]);
    const reporter = makeReporter(sink.url);
    reportReads(reporter, 1);
    expect(await reporter.flush()).toBe(true);
    const [first, second] = sink.posts;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('halves a batch that is too large, and gives up only on a single event that is', async () => {
    const sink = await startSink([{ status: 413, body: {} }, { status: 202 }, { status: 413, body: {} }]);
    const reporter = makeReporter(sink.url);
    reportReads(reporter, 2);
    expect(await reporter.flush()).toBe(true);
    expect(sink.posts.map((post) => post.ids.length)).toEqual([2, 1, 1]);
    expect(reporter.stats()).toMatchObject({ accepted: 1, rejected: 1 });
  });

  it('tells what was rejected and does not send it again', async () => {
    const rejected = [{ index: 0, pointer: '/call', code: 'required', detail: 'call is required' }];
    const sink = await startSink([{ status: 422, body: { rejected } }]);
    const told: unknown[] = [];
    const reporter = makeReporter(sink.url, { onRejected: (list) => told.push(...list) });
    reportReads(reporter, 1);
    expect(await reporter.flush()).toBe(true);
    expect(sink.posts).toHaveLength(1);
    expect(told).toEqual(rejected);
  });

  it('keeps writes and drops the oldest reads when nobody listens, and counts what it dropped', async () => {
    const sink = await startSink([{ status: 202 }]);
    sink.close();
    const reporter = makeReporter(sink.url, { queueEventsMax: 3, flushIntervalMs: 60_000 });
    reportReads(reporter, 3);
    reporter.report({ operationId: 'w', attempt: 1, startedAt: 1_700_000_000_000, call: 'POST /x', kind: 'write' });
    expect(reporter.stats()).toMatchObject({ queued: 3, dropped: 1 });
    expect(await reporter.flush(50)).toBe(false);
  });
});

describe('readRetryAfterMs', () => {
  it.each([
    ['1', 1_000],
    [' 30 ', 30_000],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    [null, null],
  ])('%s', (header, expected) => {
    expect(readRetryAfterMs(header)).toBe(expected);
  });
});
