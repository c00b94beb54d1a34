import type { Database } from '@/db/client';
import { parseTrustedProxies, type TrustedProxies } from '@/lib/http/client-address';
import { createIngestListener } from '@/lib/ingest/listener';
import type { IngestDeps } from '@/lib/ingest/request-context';
import { createIngest, type IngestOptions } from '@/lib/ingest/start';
import { createLog } from '@/lib/platform/log';
import { openFront } from '@/lib/runtime/front';

export interface IngestServer {
  url: string;
  port: number;
  deps: IngestDeps;
  close: () => Promise<void>;
}

/** Ingestion behind the service's own front and a real socket, in this process. */
export async function startIngestServer(db: Database, options: Partial<IngestOptions> = {}): Promise<IngestServer> {
  const deps = createIngest({ db, log: createLog('silent'), ...options });
  const proxies = parseTrustedProxies('') as TrustedProxies;
  const front = await openFront({ host: '127.0.0.1', port: 0, proxies, servesWeb: false });
  front.setIngest(createIngestListener(deps));
  front.setReadiness(() => Promise.resolve({ ready: true, checks: {} }));
  const close = async (): Promise<void> => {
    await front.drain(1_000);
    await deps.commit.drain();
  };
  return { url: `http://127.0.0.1:${front.port}`, port: front.port, deps, close };
}
