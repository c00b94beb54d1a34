import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/** Below the range most systems hand out to outgoing connections, so that a recorded port stays free. */
const LOW = 20_000;
const HIGH = 32_000;

/** @returns true when a listener can be opened on the port now. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * A free port on loopback, the preferred one when it is.
 * Another process can still take it before the caller does: retry then.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  for (let tries = 0; tries < 50; tries += 1) {
    const port = randomInt(LOW, HIGH);
    if (await isPortFree(port)) return port;
  }
  throw new Error('no free port on loopback');
}
