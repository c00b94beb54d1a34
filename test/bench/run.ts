/**
 * `npm run bench [name …]`: ratios, each of its two sides measured in the same run, because machines are noisy.
 * Prints Markdown for docs/benchmarks.md; asserts nothing on time.
 */
import { cpus } from 'node:os';
import { startTestServer } from '../support/global-setup';
import { BENCHES, type BenchLine } from './benches';

const asked = new Set(process.argv.slice(2));
const server = startTestServer();
const serverUrl = await server.url;
const lines: BenchLine[] = [];
try {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (asked.size > 0 && !asked.has(name)) continue;
    console.error(`… ${name}`);
    lines.push(...(await bench(serverUrl)));
  }
} finally {
  await server.stop();
}

console.log(`Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})\n`);
console.log('| what | measured | against | ratio | asked |\n| --- | --- | --- | --- | --- |');
for (const line of lines) {
  console.log(`| ${line.what} | ${line.measured} | ${line.against} | ${line.ratio.toFixed(2)} | ${line.asked} |`);
}
