/**
 * `npm run test:mutation`: changes the judging code in small ways and counts how many of the changes a test notices.
 * Texts are left out. Results are kept between runs, so that only what changed is tried again. Not part of CI.
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: [
    'lib/core/{classify,find-row,signal,retry-after,http-date,network-error,network-codes}.ts',
    'lib/core/{fold,timeline,partition-facts,doubt,key-use,key-trust,compliance,entities}.ts',
    'lib/core/checks/**/*.ts',
  ],
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile: '.stryker/incremental.json',
  tempDirName: '.stryker/sandbox',
  ignorePatterns: [
    '/.next',
    '/.readback',
    '/docs',
    '/drizzle',
    '/messages',
    '/app',
    '/reports',
    '/.stryker',
    '/public',
  ],
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.stryker/report.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 90, low: 85, break: 85 },
};
