import type { Database } from '@/db/client';
import { authorizeKey } from '@/lib/auth/authorize-key';
import { problemResponse } from '@/lib/http/problem-response';
import { PROMETHEUS_TYPE, writePrometheus, type Metric } from '@/lib/http/prometheus';
import type { PlainRequest, PlainResponse } from '@/lib/http/request';
import type { IngestDeps } from '@/lib/ingest/request-context';
import { describeFault } from '@/lib/platform/database-fault';
import { gauge, ingestMetrics, watchProcess } from './process-metrics';
import { PROJECT_METRICS, SERVICE_METRICS } from './stored-metrics';

export interface MetricsSources {
  role: string;
  db: Database;
  /** null in processes that take no events. */
  ingest: IngestDeps | null;
}

/** A database that doesn't answer must not hold the scrape up. */
const PATIENCE_MS = 2_000;
/** The service's own counts are read so often at most, whoever asks. */
const FRESH_MS = 5_000;
const ALLOW = 'GET, HEAD';

async function withPatience<T>(work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(() => resolve(otherwise), PATIENCE_MS)));
  return await Promise.race([work.catch(() => otherwise), late]).finally(() => clearTimeout(timer));
}

async function collect<C>(parts: readonly ((context: C) => Promise<Metric[]>)[], context: C): Promise<Metric[]> {
  return (await Promise.all(parts.map((part) => withPatience(part(context), [])))).flat();
}

/** `GET /metrics`: the service for everybody, and with a read key that key's project. */
export function createMetrics(sources: MetricsSources): (request: PlainRequest) => Promise<PlainResponse> {
  const { role, db, ingest } = sources;
  const ofProcess = watchProcess(role);
  let last: { at: number; stored: Promise<Metric[]> } | undefined;

  const readStored = async (): Promise<Metric[]> => {
    const alive = db.sql`select 1`.then(() => true);
    const up = await withPatience(alive, false);
    const stored = up ? await collect(SERVICE_METRICS, db) : [];
    return [gauge('readback_database_up', 'Whether the database answers.', up ? 1 : 0), ...stored];
  };
  const ofService = (): Promise<Metric[]> => {
    const now = performance.now();
    if (!last || now - last.at > FRESH_MS) last = { at: now, stored: readStored() };
    return last.stored;
  };
  const ofProject = async (request: PlainRequest): Promise<Metric[] | PlainResponse> => {
    const { requestId } = request;
    const authorization = request.header('authorization');
    if (authorization === undefined) return [];
    const now = Date.now();
    const key = await authorizeKey(db, authorization, ['read', 'operate'], now);
    if (!key.ok) return problemResponse(key.refusal, { requestId });
    const { project, dailyEventsMax } = key.value;
    return collect(PROJECT_METRICS, { db, project, dailyEventsMax, now });
  };

  return async (request) => {
    const { requestId, method } = request;
    if (method !== 'GET' && method !== 'HEAD')
      return problemResponse('method_not_allowed', { requestId, headers: { allow: ALLOW } });
    try {
      const own = await ofProject(request);
      if (!Array.isArray(own)) return own;
      const metrics = [...ofProcess(), ...(ingest ? ingestMetrics(ingest) : []), ...(await ofService()), ...own];
      const headers = { 'content-type': PROMETHEUS_TYPE, 'cache-control': 'no-store' };
      return { status: 200, headers, body: writePrometheus(metrics) };
    } catch (error) {
      const { code, retryAfterSeconds } = describeFault(error);
      return problemResponse(code, { requestId, retryAfterSeconds });
    }
  };
}
