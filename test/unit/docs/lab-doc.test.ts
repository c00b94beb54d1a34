import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CHECK_NAMES } from '@/lib/core/checks/check-name';
import { FLAG_SCENARIOS } from '@/test/lab/checks/flags';
import { CHECK_SCENARIOS, NOT_BY_ONE_CLIENT } from '@/test/lab/checks/index';

/** Cells of the rows that begin with a name in backticks, in order. */
function rowsOf(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      return cells.slice(1, -1);
    });
}

it('docs/lab.md lists every fault of the lab, and every check that no single client can show', () => {
  const checks = CHECK_NAMES.flatMap((check) => {
    const own = CHECK_SCENARIOS.filter((scenario) => scenario.check === check);
    const shown = own.map(({ title, client }) => [`\`${check}\``, title, client]);
    return shown.length > 0 ? shown : [[`\`${check}\``, `none: ${NOT_BY_ONE_CLIENT[check]}`, '']];
  });
  const flags = FLAG_SCENARIOS.map(({ flag, title, client }) => [`\`${flag}\``, title, client]);
  expect(rowsOf('docs/lab.md')).toEqual([...checks, ...flags]);
});
