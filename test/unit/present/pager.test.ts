import { describe, expect, it } from 'vitest';
import { nextPage, previousPage, readPagePlace, type PagePlace } from '@/lib/present/pager';

const FIRST: PagePlace = { cursor: null, trail: [] };

describe('pager', () => {
  it('comes back the way it went', () => {
    const places = [FIRST];
    for (const cursor of ['a', 'b', 'c']) {
      const next = nextPage(places.at(-1) ?? FIRST, cursor);
      if (!next) throw new Error('expected a next page');
      places.push(next);
    }
    expect(places.at(-1)).toEqual({ cursor: 'c', trail: ['a', 'b'] });
    const back = places.map((place) => previousPage(place));
    expect(back).toEqual([null, FIRST, { cursor: 'a', trail: [] }, { cursor: 'b', trail: ['a'] }]);
  });

  it('has no next page without a cursor', () => {
    expect(nextPage(FIRST, null)).toBeNull();
  });

  it('reads the place from the URL and ignores a trail without a cursor', () => {
    expect(readPagePlace({ cursor: 'c', trail: ['a', 'b'] })).toEqual({ cursor: 'c', trail: ['a', 'b'] });
    expect(readPagePlace({ trail: ['a'] })).toEqual(FIRST);
    expect(readPagePlace({ cursor: 'x'.repeat(2_000) })).toEqual(FIRST);
  });

  it('keeps the trail bounded', () => {
    let place: PagePlace = FIRST;
    for (let i = 0; i < 100; i += 1) place = nextPage(place, `c${i}`) ?? FIRST;
    expect(place.trail.length).toBeLessThanOrEqual(25);
    expect(previousPage(place)?.cursor).toBe('c98');
  });
});
