import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metric } from '@/lib/http/prometheus';
import type { IngestDeps } from '@/lib/ingest/request-context';

const LOOP_RESOLUTION_MS = 20;
const NANOS = 1e9;

/** Reads what one process says of itself. Start it once: it watches the event loop from then on. */
export function watchProcess(role: string): () => Metric[] {
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  return () => {
    const lag = Math.max(0, delay.percentile(99) / NANOS - LOOP_RESOLUTION_MS / 1000);
    delay.reset();
    const cpu = process.cpuUsage();
    return [
      gauge('readback_process_info', 'The process that answers.', 1, { role, node: process.version }),
      gauge('readback_process_start_time_seconds', 'When it started, in Unix time.', startedAt),
      gauge('readback_process_resident_memory_bytes', 'Its resident memory.', process.memoryUsage.rss()),
      counter('readback_process_cpu_seconds_total', 'Its processor time.', (cpu.user + cpu.system) / 1e6),
      gauge('readback_process_loop_lag_p99_seconds', 'Delay of its event loop since the last look, p99.', lag),
    ];
  };
}

/** What is on its way through this process's ingestion. */
export function ingestMetrics({ commit, budget, open, limits }: IngestDeps): Metric[] {
  const { requests, bytes, flights, quarantined, committed } = commit.stats();
  const ways = Object.entries(committed).map(([way, value]) => ({ labels: { way }, value }));
  const answers = [...open.answers].map(([status, value]) => ({ labels: { status: String(status) }, value }));
  return [
    gauge('readback_ingest_open_requests', 'Requests that are read or answered right now.', open.requests),
    gauge('readback_ingest_waiting_requests', 'Requests that wait for their commit.', requests),
    gauge('readback_ingest_waiting_bytes', 'Bytes of events that wait for their commit.', bytes),
    gauge('readback_ingest_body_bytes', 'Bytes of request bodies in memory.', budget.usedBytes),
    gauge('readback_ingest_open_transactions', 'Transactions under way.', flights),
    { name: 'readback_ingest_commits_total', help: 'Transactions by their way.', type: 'counter', samples: ways },
    {
      name: 'readback_ingest_answers_total',
      help: 'Answers of ingestion by status since the process started.',
      type: 'counter',
      samples: answers,
    },
    counter('readback_ingest_limited_total', 'Requests refused for a key’s rate or a project’s quota.', limits.refused),
    counter('readback_ingest_quarantined_total', 'Events that this process put aside.', quarantined),
  ];
}

export function gauge(name: string, help: string, value: number, labels?: Record<string, string>): Metric {
  return { name, help, type: 'gauge', samples: [{ labels, value }] };
}

export function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', samples: [{ value }] };
}
