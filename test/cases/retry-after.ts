import { expect } from 'vitest';
import cases from './data/retry-after.json';
import { send, type Judge } from './judge';

/** cases/retry-after.json: one 429 read each, its head at `receivedAt`. */

export const RETRY_AFTER_CASES = cases;
type RetryAfterCase = (typeof cases)[number];

export async function checkRetryAfter(row: RetryAfterCase, judge: Judge): Promise<void> {
  const at = Date.parse(row.receivedAt);
  const read = { kind: 'read', method: 'GET', profile: 'http', status: 429 };
  // One line goes as text and as a list: both are the contract's.
  const forms = row.lines.length === 1 ? [row.lines[0], row.lines] : [row.lines];
  for (const retryAfter of forms) {
    const fields = { ...read, startedAt: at - 50, endedAt: at, retryAfter, dateHeader: row.dateHeader };
    const [verdict] = await judge.verdicts(send(1, 0, fields));
    expect(verdict?.wait).toMatchObject(row.expected);
    const usable = row.expected.delayMs !== null;
    expect(verdict?.gates).toEqual([usable ? 'wait' : 'backoff']);
    expect(verdict?.flags.includes('header_malformed')).toBe(!usable);
    expect(verdict?.flags.includes('header_nonconformant')).toBe(!row.expected.conformant);
  }
}
