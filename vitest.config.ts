import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const alias = { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') };
const globalSetup = ['test/support/global-setup.ts'];

/**
 * A connection that ends while the driver is still asking it for its array types rejects a promise that nobody can wait
 * for. Tests that stop PostgreSQL meet it by chance; `server.ts` logs it and goes on. Everything else fails the run.
 */
function isLostTypeQuery(error: object): boolean {
  const { code, query } = error as { code?: unknown; query?: unknown };
  return code === 'CONNECTION_CLOSED' && typeof query === 'string' && query.includes('pg_catalog.pg_type');
}

/** One project a kind of test; `test/run.mjs` runs them one after another on small machines. */
export default defineConfig({
  resolve: { alias },
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    retry: 0,
    allowOnly: false,
    onUnhandledError: (error) => !isLostTypeQuery(error),
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.{ts,tsx}', 'test/cases/**/*.test.ts'] } },
      { extends: true, test: { name: 'db', include: ['test/db/**/*.test.ts'], globalSetup, maxWorkers: 2 } },
      {
        extends: true,
        test: { name: 'api', include: ['test/api/**/*.test.ts'], globalSetup, maxWorkers: 2, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'lab', include: ['test/lab/**/*.test.ts'], globalSetup, maxWorkers: 1, testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: [...globalSetup, 'test/support/e2e-setup.ts'],
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
