import { describe, expect, it } from 'vitest';
import matrix from '../../cases/data/matrix.json';
import { judgeHere } from '../../cases/judge-here';
import { RULINGS } from '../../cases/rulings/index';

/** Each contradiction that cases/matrix.json lists, one test under its id. */

describe('rulings', () => {
  for (const { id, says, holds } of RULINGS) it(`${id} ${says}`, () => holds(judgeHere));

  it('every contradiction has one', () => {
    const told = RULINGS.map(({ id }) => id);
    const missing = matrix.contradictions.map(({ id }) => id).filter((id) => !told.includes(id));
    // These need the checks that look across operations.
    expect(missing).toEqual(['Q3', 'Q16', 'Q17', 'Q19', 'X16']);
    expect(new Set(told).size).toBe(told.length);
  });
});
