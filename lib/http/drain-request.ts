import type { IncomingMessage } from 'node:http';

/** Bytes of an unread body that are still taken, so that the sender reads the answer instead of a reset. */
const DRAIN_BYTES_MAX = 12 * 1024 * 1024;
const DRAIN_MS_MAX = 2_000;

/**
 * Reads and throws away what is left of a body that is already answered, within bounds; over them the connection is
 * cut. Without it the next request on a kept connection would never be read.
 */
export function drainRequest(message: IncomingMessage): void {
  let bytes = 0;
  const cut = (): void => {
    message.socket.destroy();
  };
  const timer = setTimeout(cut, DRAIN_MS_MAX).unref();
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > DRAIN_BYTES_MAX) cut();
  });
  message.once('close', () => clearTimeout(timer));
  message.once('end', () => clearTimeout(timer));
  message.resume();
}
