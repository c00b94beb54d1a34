/** The part of `npx readback` that may use modern Node. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export async function run() {
  process.env.TSX_TSCONFIG_PATH ??= join(dirname(dirname(fileURLToPath(import.meta.url))), 'tsconfig.json');
  await import('tsx');
  const { runCli } = await import('../lib/cli/main.ts');
  const code = await runCli(process.argv.slice(2));
  // What was written has to leave first: stdout may be a pipe.
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(code);
}
