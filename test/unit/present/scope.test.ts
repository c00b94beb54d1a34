import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFilters, FILTER_FIELDS, readScope, writeScope, type RawParams } from '@/lib/present/scope';

const VIEWER = { now: Date.parse('2026-11-30T15:46:00Z'), tz: 'Europe/Berlin' };

function rawOf(query: string): RawParams {
  const raw: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) raw[name] = [...(raw[name] ?? []), value];
  return raw;
}

describe('readScope', () => {
  it('takes the last day in the viewer’s zone when the URL says nothing', () => {
    const scope = readScope({}, VIEWER);
    expect(scope.range).toMatchObject({ word: '24h', tz: 'Europe/Berlin' });
    expect([scope.filters, scope.problems]).toEqual([{}, []]);
  });

  it('repeats a field for OR, and keeps commas, ampersands and Cyrillic', () => {
    const raw = rawOf('?code=A&code=B&call=POST+/a,b%26c&service=%D0%BA%D0%B0%D1%81%D1%81%D0%B0');
    expect(readScope(raw, VIEWER).filters).toEqual({ code: ['A', 'B'], call: ['POST /a,b&c'], service: ['касса'] });
  });

  it('drops what is no word of a closed field, and says so', () => {
    const scope = readScope({ kind: ['read', 'READ'], action: 'panic', tz: 'Mars/Olympus', last: '2y' }, VIEWER);
    expect(scope.filters).toEqual({ kind: ['read'] });
    expect(scope.range).toMatchObject({ word: '24h', tz: 'Europe/Berlin' });
    expect(scope.problems.map((problem) => problem.name).sort()).toEqual(['action', 'kind', 'last', 'tz']);
  });

  it('lets a missing SDK or target be asked for, but no empty service', () => {
    const scope = readScope({ sdk: '', target: '', service: '' }, VIEWER);
    expect(scope.filters).toEqual({ sdk: [''], target: [''] });
    expect(scope.problems).toEqual([{ name: 'service', value: '' }]);
  });

  it('counts a value once, and stops at fifty a field', () => {
    const many = Array.from({ length: 60 }, (_, number) => `c${number}`);
    const scope = readScope({ code: [...many, 'c0'] }, VIEWER);
    expect(countFilters(scope.filters)).toBe(50);
    expect(scope.problems.length).toBe(10);
  });

  it('never throws, whatever the address holds', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(undefined));
    const name = fc.oneof(fc.constantFrom(...FILTER_FIELDS, 'last', 'from', 'to', 'tz'), fc.string());
    fc.assert(
      fc.property(fc.dictionary(name, value), (raw) => {
        const scope = readScope(raw, VIEWER);
        expect(scope.range.to).toBeGreaterThan(scope.range.from);
      }),
    );
  });
});

describe('writeScope', () => {
  it('gives the same scope on another browser', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 }).filter((one) => !one.includes('\u0000'));
    fc.assert(
      fc.property(
        fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
        fc.uniqueArray(fc.constantFrom('read', 'write'), { minLength: 1 }),
        fc.constantFrom('1h', '7d', 'today', 'yesterday'),
        fc.constantFrom(undefined, 'Asia/Tokyo'),
        (call, kind, last, tz) => {
          const scope = readScope({ call, kind, last, ...(tz ? { tz } : {}) }, VIEWER);
          expect(readScope(rawOf(writeScope(scope)), VIEWER)).toEqual(scope);
        },
      ),
    );
  });

  it('keeps a relative range as a word and an absolute one as instants', () => {
    expect(writeScope(readScope({ last: '7d' }, VIEWER))).toBe('?last=7d');
    const absolute = readScope({ from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }, VIEWER);
    expect(rawOf(writeScope(absolute))).toEqual({
      from: ['2026-11-01T00:00:00.000Z'],
      to: ['2026-11-02T00:00:00.000Z'],
    });
  });

  it('replaces, drops and adds what a link changes', () => {
    const scope = readScope({ code: ['A', 'B'], service: 'shop' }, VIEWER);
    const query = writeScope(scope, { code: null, sdk: ['x@1'], extra: { state: ['failed', 'cancelled'], q: null } });
    expect(rawOf(query)).toEqual({
      last: ['24h'],
      service: ['shop'],
      sdk: ['x@1'],
      state: ['failed', 'cancelled'],
    });
  });
});
