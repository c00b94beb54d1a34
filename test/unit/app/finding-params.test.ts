import { expect, it } from 'vitest';
import { readFindingParams, withProblems } from '@/app/(dashboard)/p/[project]/findings/search-params';
import { readScope } from '@/lib/present/scope';

it('a check or severity that is none is left out and said, once', () => {
  const raw = { check: ['early_retry', 'nope', 'nope'], severity: 'loud', last: 'ever' };
  const asked = readFindingParams(raw);
  expect(asked).toMatchObject({ check: ['early_retry'], severity: [] });
  const scope = withProblems(readScope(raw, { now: Date.UTC(2026, 10, 30), tz: 'UTC' }), asked);
  expect(scope.problems).toEqual([
    { name: 'last', value: 'ever' },
    { name: 'check', value: 'nope' },
    { name: 'severity', value: 'loud' },
  ]);
  expect(readFindingParams({ check: 'zero_delay', severity: ['high', 'low'] }).problems).toEqual([]);
});
