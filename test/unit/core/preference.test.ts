import { expect, it } from 'vitest';
import { hiddenColumnsCookie, preferenceCookie, readHiddenColumns } from '@/lib/core/preference';

it('reads back the columns that a viewer left out, each once', () => {
  const cookie = preferenceCookie(hiddenColumnsCookie('operations'), ['length', 'effects', 'length'].join('.'), true);
  expect(cookie).toMatch(/^rb_hidden_operations=length\.effects\.length; Path=\/; /);
  expect(readHiddenColumns('length.effects.length')).toEqual(['length', 'effects']);
});

it('shows every column to whoever chose none, and ignores what is no column', () => {
  expect(readHiddenColumns(undefined)).toEqual([]);
  expect(readHiddenColumns('')).toEqual([]);
  expect(readHiddenColumns('a b.<x>.ok..' + 'x'.repeat(40))).toEqual(['ok']);
});
