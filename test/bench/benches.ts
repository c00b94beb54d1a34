import { createTestDatabase } from '@/test/support/database';
import { benchBatches, benchSingles } from './ingest';
import { benchOverview } from './overview';
import type { BenchLine } from './bench-line';
import { benchJudgement } from './judgement';

export type { BenchLine } from './bench-line';

async function benchOverviewPage(serverUrl: string): Promise<BenchLine[]> {
  const database = await createTestDatabase(serverUrl);
  try {
    const { smallAttempts, largeAttempts, times } = await benchOverview(database.db);
    return (['week', 'day'] as const).map((kind) => ({
      what: `Overview's data, uncached, another range of a ${kind} each time`,
      measured: `${times[kind].largeMs.toFixed(1)} ms at ${largeAttempts} attempts`,
      against: `${times[kind].smallMs.toFixed(1)} ms at ${smallAttempts}`,
      ratio: times[kind].ratio,
      asked: '≤ 1.5',
    }));
  } finally {
    await database.close();
  }
}

/** By the names that `npm run bench` takes; each gets the address of a PostgreSQL that holds the migrated template. */
export const BENCHES: Readonly<Record<string, (serverUrl: string) => Promise<BenchLine[]>>> = {
  batches: async (url) => [await benchBatches(url)],
  singles: async (url) => [await benchSingles(url)],
  overview: benchOverviewPage,
  judgement: () => Promise.resolve(benchJudgement()),
};
