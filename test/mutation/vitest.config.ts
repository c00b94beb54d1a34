import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The named cases alone: random ones would notice a change today and miss it tomorrow. */
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '') } },
  test: {
    include: ['test/unit/core/**/*.test.ts'],
    exclude: ['test/unit/core/properties.test.ts', 'test/unit/core/review*.test.ts'],
    // Pure code: one import of it serves every file.
    isolate: false,
    testTimeout: 20_000,
    retry: 0,
  },
});
