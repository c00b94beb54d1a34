import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The named cases of pure code alone: random ones would notice a change today and miss it tomorrow. */
const LEFT_OUT = ['*properties', 'stream/properties', 'stream/size'];

/** Files that take their time, the longest last: the first failure ends a run, and quick files notice most changes. */
const SLOW = [
  'tolerances',
  'variants',
  'matrix',
  'stream/copies',
  'explain-finding',
  'public-bugs',
  'rulings',
  'stream/spread',
];

class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slowness = ({ moduleId }: TestSpecification) =>
      SLOW.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return Promise.resolve([...files].sort((a, b) => slowness(a) - slowness(b)));
  }
}

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '') } },
  test: {
    include: ['test/unit/core/**/*.test.ts'],
    exclude: LEFT_OUT.map((name) => `test/unit/core/${name}.test.ts`),
    // Pure code: one import of it serves every file.
    isolate: false,
    sequence: { sequencer: QuickFirst },
    // Bounds on time fail under instrumentation, whatever was changed.
    testNamePattern: /^(?!.*(?:stays linear|ends in time))/,
    testTimeout: 20_000,
    retry: 0,
  },
});
