import { describe, it } from 'vitest';
import { judgeHere } from '../../cases/judge-here';
import { checkPublicBug, PUBLIC_BUGS } from '../../cases/public-bugs';

describe('public bugs', () => {
  for (const row of PUBLIC_BUGS) it(row.id, () => checkPublicBug(row, judgeHere));
});
