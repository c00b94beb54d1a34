import { connect, type Socket } from 'node:net';

/** A keep-alive HTTP client that costs almost nothing, so that a bench measures servers and not clients. */

export interface Target {
  port: number;
  path: string;
  headers: Record<string, string>;
}

export function requestBytes(target: Target, body: string): Buffer {
  const head = [
    `POST ${target.path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(target.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** True once `text` holds a whole answer: by length, or the last chunk. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length);
}

function exchange(socket: Socket, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (!isWhole(text)) return;
      socket.off('data', onData);
      socket.off('error', reject);
      resolve(Number(text.slice(9, 12)));
    };
    socket.on('data', onData);
    socket.once('error', reject);
    socket.write(bytes);
  });
}

export interface Load {
  seconds: number;
  statuses: Map<number, number>;
  /** Milliseconds, sorted. */
  latencies: number[];
}

/** Sends the requests in order over `connections` sockets, each waiting for its answer before the next. */
export async function runLoad(port: number, connections: number, requests: () => Buffer | null): Promise<Load> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const work = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    for (let bytes = requests(); bytes; bytes = requests()) {
      const started = performance.now();
      const status = await exchange(socket, bytes);
      latencies.push(performance.now() - started);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    socket.destroy();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - started) / 1000;
  return { seconds, statuses, latencies: latencies.sort((a, b) => a - b) };
}

export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
