import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseContentEncoding, parseContentType } from '@/lib/http/content';
import type { TrustedProxies } from '@/lib/http/client-address';
import { openFront, type Front } from '@/lib/runtime/front';

const NONE: TrustedProxies = { trusts: () => false };

let front: Front;
let behind: Server;
const seen: string[] = [];

beforeAll(async () => {
  // Answers as the dashboard's framework does when no code of ours has a say.
  behind = createServer((request, response) => {
    seen.push(request.url ?? '');
    if (request.url === '/api/bare' || request.url === '/bare') return response.writeHead(405).end();
    if (request.url === '/api/broken') return response.writeHead(500, { 'content-type': 'text/plain' }).end('Oops');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url: request.url }));
  });
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
  front = await openFront({ host: '127.0.0.1', port: 0, proxies: NONE, servesWeb: true });
  front.setReadiness(() => Promise.resolve({ ready: true, checks: {} }));
  front.setWebPort((behind.address() as AddressInfo).port);
});
afterAll(async () => {
  await front.drain(100);
  behind.closeAllConnections();
  await new Promise((resolve) => behind.close(resolve));
});

interface Answer {
  status: number;
  type: string;
  code: unknown;
  text: string;
}

function send(raw: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(front.port, '127.0.0.1', () => socket.write(raw));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () =>
      resolve({
        status: Number(text.slice(9, 12)),
        type: /content-type: ([^\r]*)/i.exec(text)?.[1] ?? '',
        code: /"code":"(\w+)"/.exec(text)?.[1],
        text,
      }),
    );
  });
}

const ask = (line: string): Promise<Answer> => send(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);

describe('the front, asked for what nobody has', () => {
  test.each([
    ['GET /api/v1/operations/%00', 400, 'invalid_request'],
    ['GET /p/shop/operations/%00', 400, 'invalid_request'],
    ['GET /api/v1/operations?service=%00', 400, 'invalid_request'],
    ['GET /api/v1/operations/%zz', 400, 'invalid_request'],
    ['GET /p/%ff/review', 400, 'invalid_request'],
    ['OPTIONS *', 400, 'invalid_request'],
    ['TRACE /api/v1/rates', 405, 'method_not_allowed'],
    ['PROPFIND /api/v1/rates', 405, 'method_not_allowed'],
  ])('%s is refused before a page or a route sees it', async (line, status, code) => {
    const before = seen.length;
    expect(await ask(line)).toMatchObject({ status, code, type: 'application/problem+json' });
    expect(seen.length).toBe(before);
  });

  test('a query that is only odd goes through, and so does a name that looks encoded', async () => {
    for (const path of ['/api/v1/operations/%2500', '/api/v1/operations?q=%zz', '/api/v1/operations/%D0%B0'])
      expect((await ask(`GET ${path}`)).text).toContain(JSON.stringify({ url: path }));
  });

  test('the absolute form is taken as the path it names', async () => {
    expect((await ask('GET http://evil.example/api/v1/review?a=b')).text).toContain('{"url":"/api/v1/review?a=b"}');
    expect((await ask('GET http://evil.example')).text).toContain('{"url":"/"}');
  });

  test('a refusal without our words gets them under /api, pages keep their own', async () => {
    expect(await ask('PUT /api/bare')).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(await ask('GET /api/broken')).toMatchObject({ status: 500, code: 'internal_error' });
    expect(await ask('PUT /bare')).toMatchObject({ status: 405, code: undefined });
  });

  test.each([
    ['HELLO\r\n\r\n', 400, 'invalid_request'],
    ['POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400, 'invalid_request'],
    ['POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n', 400, 'invalid_request'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('what is no HTTP is refused in the same words', async (raw, status, code) => {
    expect(await send(raw)).toMatchObject({ status, code, type: 'application/problem+json' });
  });
});

test.each(['constructor', '__proto__', 'toString'])('%s is no encoding and no content type', (name) => {
  expect(parseContentEncoding(name)).toBeNull();
  expect(parseContentType(name)).toBeNull();
});
