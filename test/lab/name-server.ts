import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** A name server on loopback that knows nobody, and a look-up that asks it. */
export interface NameServer {
  lookup: LookupFunction;
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
/** A response, recursion desired and available, NXDOMAIN (RFC 1035 §4.1.1). */
const NAME_ERROR = 0x8183;

/** The question with its header turned into "no such name". */
function refuse(question: Buffer): Buffer {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(NAME_ERROR, 2);
  // No answers, authorities or additions: what came after the question is dropped.
  answer.fill(0, 6, HEADER_BYTES);
  let end = HEADER_BYTES;
  while (end < answer.length && answer[end] !== 0) end += 1 + (answer[end] ?? 0);
  return answer.subarray(0, end + 5);
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => socket.send(refuse(question), from.port, from.address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    lookup: (hostname, _options, callback) => {
      resolver.resolve4(hostname, (error, [address = ''] = []) => callback(error, address, 4));
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
