import { cache } from 'react';
import type { PageContext } from '@/lib/auth/context';
import { chooseStep } from '@/lib/present/range';
import type { Scope } from '@/lib/present/scope';
import { preparePeriods, readCompliancePeriods, readOperationPeriods, type Periods } from '@/lib/queries/periods';
import { readRatePeriods } from '@/lib/queries/rate-periods';

/**
 * What the panels share, each read once a request, for the range and the one before it. All panels are given the same
 * `page` and `scope`, which is what the reads are remembered by; one that fails, fails the panels that need it.
 */

export const findPeriods = cache((page: PageContext, scope: Scope): Periods =>
  preparePeriods(scope.range, chooseStep(scope.range), page.now),
);

export const readRates = cache((page: PageContext, scope: Scope) =>
  readRatePeriods(page, findPeriods(page, scope), scope.filters),
);

export const readEndings = cache((page: PageContext, scope: Scope) =>
  readOperationPeriods(page, findPeriods(page, scope), scope.filters),
);

export const readWaits = cache((page: PageContext, scope: Scope) =>
  readCompliancePeriods(page, findPeriods(page, scope), scope.filters),
);
