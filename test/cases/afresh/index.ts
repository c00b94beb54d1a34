import { describe, expect, it } from 'vitest';
import sequences from '../data/afresh.json';
import { MONTH, T0, verdictOf, type JudgeOf, type Wire } from '../judge';
import { ERROR_CASES, STATUS_CASES, VERB_CASES, WORD_CASES } from './verdicts';

/** One of data/afresh.json: what must be found, and beside it the nearest thing that must not be. */
interface SequenceCase {
  name: string;
  /** Instants from T0 on. */
  events: Wire[];
  /** State, possible effects and compliance of the pairs of operation `op`. */
  state?: string;
  effects?: number;
  pairs?: string[];
  /** Checks and flags over all operations. */
  has?: string[];
  not?: string[];
  /** Severity of the first finding of a check. */
  severity?: Partial<Record<string, string>>;
  /** After T0; a month unless told. */
  asOfMs?: number;
}

const GROUPS: [group: string, rows: SequenceCase[]][] = Object.entries(sequences);

/** Cases of kinds that nobody handed over; expected values were written down from the documents before the first run. */
export function describeAfresh(judgeOf: JudgeOf): void {
  describe.each([
    ['verbs and kinds', VERB_CASES],
    ['statuses', STATUS_CASES],
    ['words', WORD_CASES],
    ['errors', ERROR_CASES],
  ])('%s', (_group, rows) => {
    it.each(rows)('%s', async (_name, fields, expected) => {
      expect(await verdictOf(judgeOf(), fields)).toMatchObject(expected);
    });
  });

  describe.each(GROUPS)('%s', (_group, rows) => {
    it.each(rows)('$name', async ({ events, asOfMs = MONTH, has = [], not = [], severity = {}, ...want }) => {
      const operations = await judgeOf().evaluate(events, T0 + asOfMs);
      const main = operations.find(({ operationId }) => operationId === 'op');
      if (want.state !== undefined) expect(main?.state).toBe(want.state);
      if (want.effects !== undefined) expect(main?.possibleEffects).toBe(want.effects);
      if (want.pairs !== undefined) expect(main?.pairs.map(({ compliance }) => compliance)).toEqual(want.pairs);
      const findings = operations.flatMap((operation) => operation.findings);
      const flags = operations.flatMap(({ attempts }) => attempts.flatMap(({ verdict }) => verdict.flags as string[]));
      const found = [...findings.map(({ check }) => check), ...flags];
      expect(found).toEqual(expect.arrayContaining(has));
      expect(found.filter((name) => not.includes(name))).toEqual([]);
      for (const [name, level] of Object.entries(severity))
        expect(findings.find(({ check }) => check === name)?.severity, name).toBe(level);
    });
  });
}
