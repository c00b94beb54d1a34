import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const CHILD = `
  const { stopWithParent } = await import('./bin/stop-with-parent.mjs');
  process.on('SIGTERM', () => { console.log('stopped'); process.exit(0); });
  setTimeout(() => process.exit(1), 10_000);
  stopWithParent();
  console.log('up');
`;

test('a server whose starting shell is ended by a signal stops as by SIGTERM', async () => {
  // The second command keeps the shell in between, as npm's does where /bin/sh is dash.
  const line = `"${process.execPath}" --input-type=module -e "$CHILD"; true`;
  const shell = spawn('/bin/sh', ['-c', line], {
    env: { ...process.env, CHILD },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    if (!said) shell.kill('SIGTERM');
    said += chunk.toString();
  });
  // The child holds the other end of the pipe: it closes when the child is gone.
  await once(shell.stdout, 'close');
  expect(said).toBe('up\nstopped\n');
});
