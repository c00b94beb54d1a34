import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The named cases of pure code alone: random ones would notice a change today and miss it tomorrow. */
const LEFT_OUT = ['*properties', 'stream/properties', 'stream/size'];

/** A failure ends a run: files about one module come first, since they notice most changes, and long ones last. */
const FIRST = [
  ...['network-codes', 'http-date', 'retry-after', 'network-error', 'find-row', 'signal', 'classify'],
  ...['partition-facts', 'entities', 'timeline', 'doubt', 'conclusion', 'compliance', 'fold'],
];
const LAST = [
  'tolerances',
  'afresh',
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
    const order = ({ moduleId }: TestSpecification) => {
      const isIt = (name: string) => moduleId.endsWith(`core/${name}.test.ts`);
      const first = FIRST.findIndex(isIt);
      return first >= 0 ? first - FIRST.length - 1 : LAST.findIndex(isIt);
    };
    return Promise.resolve([...files].sort((a, b) => order(a) - order(b)));
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
