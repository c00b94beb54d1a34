import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listChanges } from '@/lib/present/review-change';

describe('listChanges', () => {
  it('names what differs, old and new', () => {
    expect(
      listChanges({ state: 'open', assignee: null }, { state: 'claimed', assignee: 'Ann', leaseUntil: '2026-11-30' }),
    ).toEqual([
      { field: 'state', from: 'open', to: 'claimed' },
      { field: 'assignee', from: null, to: 'Ann' },
      { field: 'leaseUntil', from: null, to: '2026-11-30' },
    ]);
  });
  it('leaves out what stayed', () => {
    expect(listChanges({ state: 'claimed', assignee: 'Ann' }, { state: 'claimed', assignee: 'Bo' })).toEqual([
      { field: 'assignee', from: 'Ann', to: 'Bo' },
    ]);
  });
  it('says nothing of rows without values', () => {
    expect(listChanges(null, null)).toEqual([]);
  });
  it('never throws', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => Array.isArray(listChanges(a, b))));
  });
});
