/**
 * The dashboard's process: Next in production behind the front listener of server.ts, on a loopback port of its own.
 * Plain JavaScript, so that no loader of ours sits between Next and its files. It ends when the front does.
 */
import { createServer } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';

const token = Buffer.from(process.env.READBACK_FRONT_TOKEN ?? '');
delete process.env.READBACK_FRONT_TOKEN;

process.on('disconnect', () => process.exit(0));
// The terminal's Ctrl-C reaches every process: the front decides when we end, after it has drained.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const dir = dirname(dirname(fileURLToPath(import.meta.url)));
const app = next({ dev: false, dir, hostname: '127.0.0.1', port: Number(process.env.PORT) });
const handle = app.getRequestHandler();

/** @param {import('node:http').IncomingMessage} request */
function comesFromFront(request) {
  const sent = Buffer.from(String(request.headers['x-readback-front'] ?? ''));
  delete request.headers['x-readback-front'];
  return token.length > 0 && sent.length === token.length && timingSafeEqual(sent, token);
}

const server = createServer((request, response) => {
  if (!comesFromFront(request)) {
    response.writeHead(403).end();
    return;
  }
  void handle(request, response);
});
// The front keeps its connections and decides when one is old: closing them here would race with its next request.
server.keepAliveTimeout = 0;
server.requestTimeout = 0;

await app.prepare();
server.listen(0, '127.0.0.1', () => process.send?.({ type: 'ready', port: server.address().port }));

process.on('message', (order) => {
  if (order.type === 'ping') process.send?.({ type: 'pong' });
  if (order.type !== 'stop') return;
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => process.exit(0), 1_000).unref();
});
