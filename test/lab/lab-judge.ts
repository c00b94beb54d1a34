import type { Pair, OperationState } from '@/lib/core/operation';
import type { Verdict } from '@/lib/core/verdict';
import { countEffects, type LabCase } from './lab-run';

/** What Readback concluded about one operation. */
export interface Observed {
  state: OperationState;
  possibleEffects: number;
  verdicts: Verdict[];
  pairs: Pair[];
  reviewItems: number;
}

/** The two promises that hold whatever happened. @returns sentences about what was broken. */
export function checkPromises(labCase: LabCase, observed: Observed): string[] {
  const real = countEffects(labCase.server, labCase.call.operationId);
  const faults: string[] = [];
  if (real > observed.possibleEffects) {
    faults.push(`really done ${real} times, but at most ${observed.possibleEffects} thought possible`);
  }
  if (real > 1 && observed.reviewItems === 0) faults.push(`really done ${real} times, and nobody is asked to look`);
  return faults;
}

function differ<T extends string | number | boolean>(
  what: string,
  expected: T | undefined,
  seen: T | undefined,
): string[] {
  return expected === undefined || expected === seen
    ? []
    : [`${what}: expected ${String(expected)}, saw ${String(seen)}`];
}

/** The case's own expectation. @returns sentences about what differs. */
export function checkExpectation(labCase: LabCase, observed: Observed): string[] {
  const sends = observed.verdicts.length;
  const first = observed.verdicts[0];
  if (!labCase.expect) return [];
  if (!first) return ['no attempt arrived'];
  const expected = labCase.expect(sends);
  const requests = labCase.server?.requests.get(labCase.call.operationId);
  return [
    ...differ('sends', requests, sends),
    ...differ('action', expected.action, first.action),
    ...differ('effect', expected.effect, first.effect),
    ...differ('state', expected.state, observed.state),
    ...differ('review item', expected.review, observed.reviewItems > 0),
    ...differ('compliance', expected.compliance, observed.pairs[0]?.compliance),
    ...(expected.codes.includes(first.code)
      ? []
      : [`code: expected one of ${expected.codes.join(', ')}, saw ${first.code}`]),
    ...(!expected.phases || expected.phases.includes(first.phase)
      ? []
      : [`phase: expected ${expected.phases.join(', ')}, saw ${first.phase}`]),
  ];
}
