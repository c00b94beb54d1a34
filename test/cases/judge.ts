import type { Verdict } from '@/lib/core/verdict';
import type { EvaluatedOperation } from '@/lib/ingest/handle-evaluate';

/**
 * How a case is put to the product: events as a client sends them, verdicts and conclusions as the API answers them.
 * Unit tests judge in this process, API tests through a real server; both run the same cases.
 */

export type Wire = Record<string, unknown>;

export interface Judge {
  /** Verdicts of one attempt, one for each of its items. @param ruleSet edition instead of the profile's current one */
  verdicts: (event: Wire, ruleSet?: string) => Promise<Verdict[]>;
  /** Conclusions about every operation of the events, in order of first mention. @param asOf epoch ms */
  evaluate: (events: readonly Wire[], asOf: number) => Promise<EvaluatedOperation[]>;
}

/** Given once the server behind it runs. */
export type JudgeOf = () => Judge;

export const T0 = Date.UTC(2026, 2, 2, 10, 0, 0);
export const MINUTE = 60_000;
/** Long after everything is over. */
export const MONTH = 30 * 24 * 60 * MINUTE;

/** One try of operation `op`: starts `at` ms after T0, takes 100 ms, is a POST write unless told otherwise. */
export function send(attempt: number, at: number, fields: Wire = {}): Wire {
  const startedAt = T0 + at;
  const told = { kind: 'write', method: 'POST', call: 'POST /case' };
  return { operationId: 'op', attempt, startedAt, endedAt: startedAt + 100, service: 'orders', ...told, ...fields };
}

/** Any other event of operation `op`. */
export function told(type: string, at: number, fields: Wire = {}): Wire {
  const ends = type === 'readback' ? { endedAt: T0 + at + 100 } : {};
  const whose = type === 'auth_refresh' ? {} : { operationId: 'op' };
  return { type, startedAt: T0 + at, ...whose, ...ends, ...fields };
}

/** The one verdict of one try. */
export async function verdictOf(judge: Judge, fields: Wire, ruleSet?: string): Promise<Verdict> {
  const [verdict] = await judge.verdicts(send(1, 0, fields), ruleSet);
  if (!verdict) throw new Error('no verdict');
  return verdict;
}

/** The conclusion about operation `op`, long after everything unless `asOfMs` (after T0) says when. */
export async function operationOf(
  judge: Judge,
  events: readonly Wire[],
  asOfMs = MONTH,
  operationId = 'op',
): Promise<EvaluatedOperation> {
  const found = (await judge.evaluate(events, T0 + asOfMs)).find((one) => one.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}

/** Names of the checks that found something in operation `op`. */
export async function checksOf(judge: Judge, events: readonly Wire[], asOfMs = MONTH): Promise<string[]> {
  return (await operationOf(judge, events, asOfMs)).findings.map(({ check }) => check);
}
