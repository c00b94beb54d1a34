import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { findRow, isNearMiss } from '@/lib/core/find-row';
import { cell, type RuleMatch, type RuleRow, type RuleSet, type RuleStage } from '@/lib/core/rules/rule';
import { readSignal } from '@/lib/core/signal';
import { attempt } from './support/event';

/** The order of domain.md §6 for one attempt, on small rule sets made for each case. */

const DO = cell('retry_with_limit', [], 'none');
const TEXT = { en: 'x', ru: 'y' };

function row(id: string, stage: RuleStage, match: RuleMatch = {}): RuleRow {
  const provenance = { source: 'ruling', place: '§6' } as const;
  return { id, stage, match, reached: 'unknown', read: DO, write: DO, wait: 'asked', condition: TEXT, provenance };
}

function setOf(rows: readonly RuleRow[], codeCase: RuleSet['codeCase'] = 'exact'): RuleSet {
  const [first, ...rest] = rows;
  if (!first) throw new Error('no rows');
  return {
    name: 'http@test',
    profile: 'http',
    edition: 'test',
    current: false,
    title: TEXT,
    codeCase,
    otherCodes: [],
    keyMode: 'server',
    keyLifeMs: 1000,
    methodsReplayable: [],
    rows: [first, ...rest],
  };
}

const FALLBACK = row('DEFAULT', 'default');
const chosen = (ruleSet: RuleSet, fields: Partial<Attempt>) => findRow(readSignal(attempt(fields), 'http'), ruleSet).id;
const CUT = { code: 'UND_ERR_SOCKET' };

describe('findRow', () => {
  const ALL = [
    FALLBACK,
    row('RESET', 'network', { faults: ['ambiguous'] }),
    row('LATE', 'network', { faults: ['timeout', 'caller_abort'] }),
    row('ANY_STATUS', 'status'),
    row('UNREADABLE', 'scenario', { outcomes: ['parse_error'] }),
    row('BUSY', 'code', { codes: ['BUSY', 'FULL'] }),
    row('DONE', 'success'),
  ];

  it.each([
    ['success: 2xx, whole body, nothing told inside', { status: 200 }, 'DONE'],
    ['the platform’s code, whatever the status', { status: 200, code: 'BUSY' }, 'BUSY'],
    ['any code of a row', { status: 503, code: 'FULL' }, 'BUSY'],
    ['a code before a scenario', { outcome: 'parse_error', code: 'BUSY' }, 'BUSY'],
    ['a scenario before the status', { status: 502, outcome: 'parse_error' }, 'UNREADABLE'],
    ['the status', { status: 502 }, 'ANY_STATUS'],
    ['the status before the network', { status: 502, error: CUT }, 'ANY_STATUS'],
    ['a cut 2xx is the network’s, not the status’s (H6)', { status: 200, error: CUT }, 'RESET'],
    ['the network', { error: CUT }, 'RESET'],
    ['another fault of the network', { outcome: 'timeout' }, 'LATE'],
    ['the default for a 2xx with an error inside', { status: 200, code: 'OTHER' }, 'DEFAULT'],
    ['the default for a fault without a row', { error: { code: 'ECONNREFUSED', syscall: 'connect' } }, 'DEFAULT'],
    ['an item that never ran is no success', { status: 200, notRun: true }, 'DEFAULT'],
  ] as const)('%s', (_name, fields, id) => expect(chosen(setOf(ALL), fields)).toBe(id));

  it('takes the rows of a stage in their order', () => {
    const rows = [FALLBACK, row('NARROW', 'status', { statuses: [[404, 404]] }), row('WIDE', 'status')];
    expect(chosen(setOf(rows), { status: 404 })).toBe('NARROW');
    expect(chosen(setOf(rows), { status: 405 })).toBe('WIDE');
  });

  it('holds a status against ranges with both ends', () => {
    const rows = [
      FALLBACK,
      row('RANGE', 'status', {
        statuses: [
          [404, 404],
          [500, 599],
        ],
      }),
    ];
    for (const status of [404, 500, 599]) expect(chosen(setOf(rows), { status })).toBe('RANGE');
    for (const status of [403, 405, 499]) expect(chosen(setOf(rows), { status })).toBe('DEFAULT');
    expect(chosen(setOf(rows), { error: CUT })).toBe('DEFAULT');
  });

  it('asks a row for all of its conditions', () => {
    const match: RuleMatch = { statuses: [[500, 599]], sign: 'no_content_type', outcomes: ['http_error'] };
    const rows = [FALLBACK, row('ALL', 'scenario', match)];
    expect(chosen(setOf(rows), { status: 504, headers: {} })).toBe('ALL');
    expect(chosen(setOf(rows), { status: 404, headers: {} })).toBe('DEFAULT');
    expect(chosen(setOf(rows), { status: 504, headers: { 'content-type': 'text/html' } })).toBe('DEFAULT');
    expect(chosen(setOf(rows), { status: 504, headers: {}, outcome: 'parse_error' })).toBe('DEFAULT');
  });

  it('lets a fault explain only what no status explains', () => {
    const rows = [FALLBACK, row('FAULT', 'scenario', { faults: ['ambiguous'] })];
    expect(chosen(setOf(rows), { error: CUT })).toBe('FAULT');
    expect(chosen(setOf(rows), { status: 200, error: CUT })).toBe('FAULT');
    expect(chosen(setOf(rows), { status: 500, error: CUT })).toBe('DEFAULT');
    expect(chosen(setOf(rows), { outcome: 'timeout' })).toBe('DEFAULT');
  });

  it('tells rows of one code apart by a sign, the plain one last', () => {
    const signed = row('SIGNED', 'code', { codes: ['TWICE'], sign: 'first_status_success' });
    const rows = [FALLBACK, signed, row('PLAIN', 'code', { codes: ['TWICE'] })];
    expect(chosen(setOf(rows), { code: 'TWICE', firstStatus: 200 })).toBe('SIGNED');
    expect(chosen(setOf(rows), { code: 'TWICE' })).toBe('PLAIN');
    expect(chosen(setOf([FALLBACK, signed]), { code: 'TWICE' })).toBe('DEFAULT');
  });

  it('compares codes exactly, or by ASCII letters alone, as the rule set says', () => {
    const rows = [FALLBACK, row('BUSY', 'code', { codes: ['Busy_ss'] })];
    expect(chosen(setOf(rows, 'exact'), { code: 'Busy_ss' })).toBe('BUSY');
    expect(chosen(setOf(rows, 'exact'), { code: 'BUSY_SS' })).toBe('DEFAULT');
    expect(chosen(setOf(rows, 'ignored'), { code: 'bUSY_Ss' })).toBe('BUSY');
    expect(chosen(setOf(rows, 'ignored'), { code: 'BUSY_ß' })).toBe('DEFAULT');
  });

  it('never goes by codes where they are free text', () => {
    const rows = [FALLBACK, row('BUSY', 'code', { codes: ['BUSY'] }), row('REFUSED', 'status')];
    expect(chosen(setOf(rows, 'open'), { status: 503, code: 'BUSY' })).toBe('REFUSED');
  });

  it('knows families of codes by a part of them, after the exact ones', () => {
    const rows = [
      FALLBACK,
      row('FAMILY', 'code', { codesContain: ['KEYREUSED', 'BADKEY'] }),
      row('EXACT', 'code', { codes: ['V3_KEYREUSED'] }),
    ];
    expect(chosen(setOf(rows), { code: 'V3_KEYREUSED' })).toBe('EXACT');
    expect(chosen(setOf(rows), { code: 'v3_other_keyreusedexception' })).toBe('FAMILY');
    expect(chosen(setOf(rows), { code: 'V3_BADKEY' })).toBe('FAMILY');
    expect(chosen(setOf(rows), { code: 'V3_KEY' })).toBe('DEFAULT');
  });

  it('falls back to its first row without a default, and asks on without a row for success', () => {
    expect(chosen(setOf([row('FIRST', 'scenario', { outcomes: ['aborted'] })]), { status: 500 })).toBe('FIRST');
    expect(chosen(setOf([FALLBACK, row('OK', 'scenario', { statuses: [[200, 200]] })]), { status: 200 })).toBe('OK');
  });
});

describe('isNearMiss (V15)', () => {
  const ruleSet = setOf([FALLBACK, row('A', 'code', { codes: ['RATE_LIMITED'] })]);
  it.each([
    ['rate_limited', true],
    [' RATE_LIMITED', true],
    ['Rate-Limited', true],
    ['RATE LIMITED', true],
    ['RATE_LIMITED', false],
    ['RATELIMITED', false],
    ['rate_limit', false],
  ])('%j: %s', (code, near) => expect(isNearMiss(ruleSet, code)).toBe(near));
});
