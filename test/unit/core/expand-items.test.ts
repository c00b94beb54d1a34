import { describe, expect, it } from 'vitest';
import { judgeHere } from '../../cases/judge-here';
import { MINUTE, MONTH, send, T0, told, type Wire } from '../../cases/judge';

/** Batches: what an answer doesn't speak of, and what is left of the call that carried the items (issue 3.3, V13). */

const batch = (fields: Wire): Wire => send(1, 0, { call: 'POST /v1/batch', status: 200, ...fields });
const evaluate = async (events: Wire[], asOfMs = MONTH) =>
  Object.fromEntries(
    (await judgeHere.evaluate(events, T0 + asOfMs)).map(({ operationId, state }) => [operationId, state]),
  );
const started = (attempt: number, at: number): Wire => {
  const { endedAt: _endedAt, ...rest } = send(attempt, at, { call: 'POST /v1/batch' });
  return { type: 'attempt_started', ...rest };
};

describe('items that the answer does not speak of', () => {
  it('are unknown, all of them when the list is empty', async () => {
    const events = [batch({ batch: { id: 'b', size: 3 }, items: [] })];
    expect(await evaluate(events)).toEqual({ 'op#0': 'unresolved', 'op#1': 'unresolved', 'op#2': 'unresolved' });
  });
  it('share the failure of an envelope that failed', async () => {
    const refused = batch({ status: 429, batch: { id: 'b', size: 2 }, items: [] });
    expect(await evaluate([refused])).toEqual({ 'op#0': 'failed', 'op#1': 'failed' });
  });
  it('are found beside named ones, by the lowest free places', async () => {
    const items = [
      { item: 'first', kind: 'write', status: 201 },
      { item: '1', kind: 'write', status: 201 },
    ];
    expect(await evaluate([batch({ batch: { id: 'b', size: 4 }, items })])).toEqual({
      'op#first': 'succeeded',
      'op#1': 'succeeded',
      'op#0': 'unresolved',
      'op#2': 'unresolved',
    });
  });
  it('are none where as many are told as were sent, or no size was said', async () => {
    const items = ['a', 'b'].map((item) => ({ item, kind: 'write', status: 201 }));
    const all = { 'op#a': 'succeeded', 'op#b': 'succeeded' };
    expect(await evaluate([batch({ batch: { id: 'b', size: 2 }, items })])).toEqual(all);
    expect(await evaluate([batch({ items })])).toEqual(all);
    expect(await evaluate([batch({ items: [] })])).toEqual({ op: 'succeeded' });
    expect(await evaluate([batch({ batch: { id: 'b', size: 0 }, items: [] })])).toEqual({ op: 'succeeded' });
  });
});

describe('the carrying call', () => {
  const items = [{ item: '0', kind: 'write', status: 201 }];
  it('answers what was announced of it and is no operation itself', async () => {
    expect(await evaluate([started(1, 0), batch({ items })])).toEqual({ 'op#0': 'succeeded' });
    expect(await evaluate([batch({ items }), started(1, 0)])).toEqual({ 'op#0': 'succeeded' });
  });
  it('answers its own announcement only', async () => {
    const events = [started(1, 0), batch({ items }), started(2, MINUTE)];
    expect(await evaluate(events, 2 * MINUTE)).toEqual({ op: 'in_progress', 'op#0': 'succeeded' });
    expect(await evaluate(events)).toEqual({ op: 'unresolved', 'op#0': 'succeeded' });
  });
  it('leaves one verdict per item and no more', async () => {
    expect(await judgeHere.verdicts(batch({ items }))).toHaveLength(1);
  });
  it('stays beside an ordinary send of the same operation', async () => {
    const plain = send(2, MINUTE, { status: 429 });
    expect(
      await evaluate([started(1, 0), batch({ items }), plain, told('closed', 2 * MINUTE, { result: 'abandoned' })]),
    ).toEqual({ op: 'cancelled', 'op#0': 'succeeded' });
  });
});
