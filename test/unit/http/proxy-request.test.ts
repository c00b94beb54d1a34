import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { proxyRequest } from '@/lib/http/proxy-request';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(handle);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const agent = new Agent({ keepAlive: true });
const frontOf = (port: number, bodyBytesMax = 1_000): Promise<number> =>
  serve((request, response) =>
    proxyRequest(request, response, {
      target: { port, agent, token: 'token' },
      client: { address: '198.51.100.7', protocol: 'https', host: 'readback.example' },
      bodyBytesMax,
      onUnreachable: () => response.writeHead(503).end('away'),
      onTooLarge: () => response.writeHead(413, { connection: 'close' }).end('too large'),
    }),
  );

function send(port: number, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: string }>((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const request = sendRequest({ port, host: '127.0.0.1', method, headers, path: '/a?b=c' }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      answer.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Far more than sockets and streams buffer on the way. */
const BODY_BYTES = 1_500_000;

/** Sends the texts one after another over one connection and gives back all that came until it closed. */
function converse(port: number, texts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const socket = connect(port, '127.0.0.1', () => texts.forEach((text) => socket.write(text)));
    socket.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(seen));
  });
}

const echo = (request: IncomingMessage, response: ServerResponse): void => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => response.end(JSON.stringify({ url: request.url, headers: request.headers, body })));
};

describe('the proxy in front of the dashboard', () => {
  test('our word about the client replaces what the client wrote; nothing of the framework comes from outside', async () => {
    const front = await frontOf(await serve(echo));
    const answer = await send(front, {
      headers: {
        'x-forwarded-for': '1.1.1.1',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=1.1.1.1',
        'x-real-ip': '1.1.1.1',
        'x-middleware-subrequest': 'proxy:proxy:proxy',
        'x-nextjs-rewrite': '/x',
        'content-security-policy': "script-src 'nonce-x'",
        'x-nonce': 'x',
        'x-readback-client-address': '1.1.1.1',
        'x-readback-front': 'guess',
        'x-hop': 'gone',
        connection: 'x-hop, keep-alive',
        'x-kept': 'kept',
        rsc: '1',
      },
    });
    const { url, headers } = JSON.parse(answer.body) as { url: string; headers: Record<string, string> };
    expect(url).toBe('/a?b=c');
    expect(headers).toEqual({
      'x-kept': 'kept',
      rsc: '1',
      host: 'readback.example',
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'readback.example',
      'x-readback-client-address': '198.51.100.7',
      'x-readback-front': 'token',
      connection: 'keep-alive',
    });
  });

  test('a body goes through, several cookies come back apart', async () => {
    const front = await frontOf(
      await serve((request, response) => {
        response.setHeader('set-cookie', ['a=1', 'b=2']);
        echo(request, response);
      }),
    );
    const answer = await send(front, { method: 'POST', body: 'hello', headers: { 'content-length': '5' } });
    expect((JSON.parse(answer.body) as { body: string }).body).toBe('hello');
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  test('an answer streams: its first part arrives before its end exists', async () => {
    let finish: () => void = () => undefined;
    const front = await frontOf(
      await serve((_request, response) => {
        response.write('first');
        finish = () => response.end('last');
      }),
    );
    const text = await new Promise<string>((resolve) => {
      sendRequest({ port: front, host: '127.0.0.1' }, (answer) => {
        let seen = '';
        answer.on('data', (chunk: Buffer) => {
          seen += chunk.toString();
          if (seen === 'first') finish();
        });
        answer.on('end', () => resolve(seen));
      }).end();
    });
    expect(text).toBe('firstlast');
  });

  test('a client that leaves ends the work behind it', async () => {
    let left: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const front = await frontOf(
      await serve((_request, response) => {
        response.write('x');
        response.on('close', left);
      }),
    );
    const request = sendRequest({ port: front, host: '127.0.0.1' }, (answer) =>
      answer.once('data', () => request.destroy()),
    );
    request.on('error', () => undefined);
    request.end();
    await gone;
  });

  test('nobody behind it', async () => {
    const port = await serve(echo);
    const server = open.pop();
    await new Promise((resolve) => server?.close(resolve));
    expect(await send(await frontOf(port))).toMatchObject({ status: 503, body: 'away' });
  });

  test('a kept connection that was closed meanwhile is not an error', async () => {
    const behind = createServer((_request, response) => response.end('ok'));
    behind.keepAliveTimeout = 1;
    open.push(behind);
    await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
    const front = await frontOf((behind.address() as AddressInfo).port);
    for (let round = 0; round < 50; round += 1) expect((await send(front)).status).toBe(200);
  });

  test.each([
    ['announced', { 'content-length': '2000' }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('a body that is too large, %s, is refused', async (_name, headers) => {
    const front = await frontOf(await serve(echo));
    const answer = await send(front, {
      method: 'POST',
      body: 'x'.repeat(2_000),
      headers: headers,
    });
    expect(answer).toMatchObject({ status: 413, body: 'too large' });
  });

  test.each([['announced'], ['in chunks']])(
    'an answer before the whole body, %s, leaves the connection fit for the next request',
    async (how) => {
      const behind = await serve((request, response) => {
        if (request.method === 'GET') return response.end('next');
        // As the dashboard refuses a body of which it has read enough.
        request.once('data', () => {
          request.pause();
          response.writeHead(413).end('enough');
        });
      });
      const front = await frontOf(behind, 4 * BODY_BYTES);
      const body = 'x'.repeat(BODY_BYTES);
      const head = how === 'announced' ? `Content-Length: ${BODY_BYTES}\r\n\r\n` : 'Transfer-Encoding: chunked\r\n\r\n';
      const sent = how === 'announced' ? body : `${BODY_BYTES.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const text = await converse(front, [
        `POST /a HTTP/1.1\r\nHost: a\r\n${head}${sent}`,
        'GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      ]);
      expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
      expect(text).toContain('next');
    },
  );

  test('a child that answers before it read the body keeps nobody else waiting', async () => {
    // As Next does when a route stops reading: what it took is answered, the rest stands in the way on its connection.
    const child = await serve((request, response) => {
      if (request.method !== 'POST') return void response.end('here');
      request.once('data', () => {
        request.pause();
        response.writeHead(413).end('enough');
      });
    });
    const front = await frontOf(child, BODY_BYTES);
    expect(await send(front, { method: 'POST', body: 'x'.repeat(200_000) })).toMatchObject({ status: 413 });
    expect(await send(front)).toMatchObject({ status: 200, body: 'here' });
  }, 5_000);
});
