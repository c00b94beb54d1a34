import { createTestDatabase } from '@/test/support/database';
import { benchBatches, benchSingles } from './ingest';
import { benchOverview } from './overview';
import type { BenchLine } from './bench-line';

export type { BenchLine } from './bench-line';

async function benchOverviewPage(serverUrl: string): Promise<BenchLine> {
  const database = await createTestDatabase(serverUrl);
  try {
    const { smallAttempts, largeAttempts, smallMs, largeMs, ratio } = await benchOverview(database.db);
    return {
      what: "Overview's data, uncached, another range each time",
      measured: `${largeMs.toFixed(1)} ms at ${largeAttempts} attempts`,
      against: `${smallMs.toFixed(1)} ms at ${smallAttempts}`,
      ratio,
      asked: '≤ 1.5',
    };
  } finally {
    await database.close();
  }
}

/** By the names that `npm run bench` takes; each gets the address of a PostgreSQL that holds the migrated template. */
export const BENCHES: Readonly<Record<string, (serverUrl: string) => Promise<BenchLine>>> = {
  batches: benchBatches,
  singles: benchSingles,
  overview: benchOverviewPage,
};
