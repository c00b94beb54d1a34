import { describe, expect, it } from 'vitest';
import { findRuleSet, listRuleSets } from '@/lib/core/rules/index';
import type { RuleRow, RuleSet } from '@/lib/core/rules/rule';
import { compareRuleSets, listComparable } from '@/lib/present/rule-difference';

function ruleSet(name: string): RuleSet {
  const found = findRuleSet(name);
  if (!found) throw new Error(`no rule set ${name}`);
  return found;
}

const current = ruleSet('vibecode@2026-10-22');
const older = ruleSet('vibecode@older-ru');

function withRow(set: RuleSet, id: string, change: (row: RuleRow) => RuleRow): RuleSet {
  const [first, ...rest] = set.rows.map((row) => (row.id === id ? change(row) : row));
  if (!first) throw new Error('a rule set has a row');
  return { ...set, rows: [first, ...rest] };
}

describe('compareRuleSets', () => {
  it('finds nothing between an edition and itself', () => {
    for (const set of listRuleSets()) {
      expect(compareRuleSets(set, set)).toEqual({ rows: [], facts: [], same: set.rows.length });
    }
  });

  it('names the codes the older Russian edition lacks, and the one text that differs', () => {
    const { rows, facts, same } = compareRuleSets(older, current);
    const added = rows.filter((row) => row.left === null).map((row) => row.id);
    expect([...new Set(added)].sort()).toEqual([
      'AGENT_WRITE_ALREADY_EXECUTED',
      'BH_APP_CONNECTION_LOST',
      'BH_APP_TIMEOUT',
      'CALLER_RATE_LIMITED',
    ]);
    const changed = rows.filter((row) => row.left && row.right);
    expect(changed.map((row) => [row.id, row.stage, row.parts])).toEqual([['BH_APP_TIMEOUT', 'code', ['condition']]]);
    expect(facts).toEqual([]);
    expect(same + changed.length).toBe(older.rows.length);
  });

  it('gives the same differences with the sides changed over', () => {
    const one = compareRuleSets(older, current).rows;
    const other = compareRuleSets(current, older).rows;
    const flat = (rows: typeof one, flip: boolean) =>
      rows.map((row) => [row.id, row.stage, flip ? row.right?.id : row.left?.id, ...row.parts].join(' ')).sort();
    expect(flat(other, true)).toEqual(flat(one, false));
  });

  it.each([
    ['wait', (row: RuleRow): RuleRow => ({ ...row, waitMsMin: 9_000 })],
    ['reached', (row: RuleRow): RuleRow => ({ ...row, reached: 'yes' })],
    ['read', (row: RuleRow): RuleRow => ({ ...row, read: { ...row.read, gates: ['human'] } })],
    ['write', (row: RuleRow): RuleRow => ({ ...row, replayable: row.read })],
    ['match', (row: RuleRow): RuleRow => ({ ...row, match: { ...row.match, statuses: [[503, 503]] } })],
  ] as const)('sees a changed %s', (part, change) => {
    const { rows } = compareRuleSets(current, withRow(current, 'QUEUE_OVERFLOW', change));
    expect(rows.map((row) => [row.id, row.parts])).toEqual([['QUEUE_OVERFLOW', [part]]]);
  });

  it('does not call another place in the source a difference', () => {
    const moved = withRow(current, 'QUEUE_OVERFLOW', (row) => ({
      ...row,
      provenance: { source: 'ruling', place: 'elsewhere' },
    }));
    expect(compareRuleSets(current, moved).rows).toEqual([]);
  });

  it('sees that rows are tried in another order, and facts of the whole edition', () => {
    const [first, ...rest] = [...current.rows].reverse();
    if (!first) throw new Error('a rule set has a row');
    expect(compareRuleSets(current, { ...current, rows: [first, ...rest] }).facts).toEqual(['order']);
    const keyed = { ...current, keyMode: 'server', keyLifeMs: 1, otherCodes: ['X'] } as const;
    expect(compareRuleSets(current, keyed).facts).toEqual(['keyMode', 'keyLife', 'otherCodes']);
  });
});

it('offers editions of the same family first', () => {
  const names = listComparable(current, listRuleSets()).map((set) => set.name);
  expect(names[0]).toBe('vibecode@older-ru');
  expect(names).not.toContain(current.name);
  expect(names).toHaveLength(listRuleSets().length - 1);
});
