import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listChecks } from '@/lib/core/check-catalogue';

it('docs/checks.md lists every check as it is: measure, severity, reach and settings', () => {
  const rows = readFileSync('docs/checks.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/`/g, '')));
  const told = rows.map(([, check, metric, severity, reach, meaning, settings]) => ({
    check,
    metric,
    severity,
    reach,
    meaning,
    settings,
  }));
  expect(told).toEqual(
    listChecks().map(({ check, metric, severity, reach, meaning, settings }) => ({
      check,
      metric,
      severity,
      reach: reach.join(', '),
      meaning: meaning.en,
      settings: settings.join(' '),
    })),
  );
});
