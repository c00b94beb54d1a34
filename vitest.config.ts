import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const alias = { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') };
const globalSetup = ['test/support/global-setup.ts'];

/** One project a kind of test; `test/run.mjs` runs them one after another on small machines. */
export default defineConfig({
  resolve: { alias },
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    retry: 0,
    allowOnly: false,
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
