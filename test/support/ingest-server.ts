import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '@/db/client';
import { createIngestListener } from '@/lib/ingest/listener';
import { createIngest, type IngestOptions } from '@/lib/ingest/start';
import type { IngestDeps } from '@/lib/ingest/request-context';
import { createLog } from '@/lib/platform/log';
import { SERVER_OPTIONS, refuseExpectation } from '@/lib/http/server-options';

export interface IngestServer {
  url: string;
  port: number;
  deps: IngestDeps;
  close: () => Promise<void>;
}

/** Ingestion behind a real socket, in this process, as the service's own front hands requests to it. */
export async function startIngestServer(db: Database, options: Partial<IngestOptions> = {}): Promise<IngestServer> {
  const deps = createIngest({ db, log: createLog('silent'), ...options });
  const take = createIngestListener(deps);
  const server: Server = createServer(SERVER_OPTIONS, (request, response) => {
    if (!take(request, response)) response.writeHead(404).end();
  });
  server.on('checkExpectation', refuseExpectation);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await deps.commit.drain();
  };
  return { url: `http://127.0.0.1:${port}`, port, deps, close };
}
