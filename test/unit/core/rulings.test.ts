import { describe, expect, it } from 'vitest';
import matrix from '../../cases/data/matrix.json';
import { judgeHere } from '../../cases/judge-here';
import { RULINGS } from '../../cases/rulings/index';

/** Each contradiction that cases/matrix.json lists, one test under its id. */

describe('rulings', () => {
  for (const { id, says, holds } of RULINGS) it(`${id} ${says}`, () => holds(judgeHere));

  it('every contradiction has one', () => {
    const told = RULINGS.map(({ id }) => id);
    expect([...told].sort()).toEqual(matrix.contradictions.map(({ id }) => id).sort());
    expect(new Set(told).size).toBe(told.length);
  });
});
