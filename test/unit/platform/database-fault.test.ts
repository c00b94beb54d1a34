import { describe, expect, it } from 'vitest';
import { describeFault, FAULTS } from '@/lib/platform/database-fault';
import { problemKind } from '@/lib/platform/problem';

/** reliability-security.md §1.4, and what the driver and Node say of a connection: code, kind, answer, seconds. */
type Row = readonly [code: string, kind: string, answer: string, seconds: number];

const rows = (codes: string, kind: string, answer: string, seconds: number): Row[] =>
  codes.split(' ').map((code) => [code, kind, answer, seconds]);

const ROWS: readonly Row[] = [
  ...rows('08000 08001 08003 08004 08006 08007 08P01', 'away', 'database_unavailable', 2),
  ...rows('57P01 57P02 57P03 57P05 53300 53000 53200 53400', 'away', 'database_unavailable', 2),
  ...rows('55006 3D000 28P01 28000', 'away', 'database_unavailable', 2),
  ...rows('ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOENT ENOTFOUND', 'away', 'database_unavailable', 2),
  ...rows('EAI_AGAIN EHOSTUNREACH ENETUNREACH', 'away', 'database_unavailable', 2),
  ...rows('CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED CONNECT_TIMEOUT', 'away', 'database_unavailable', 2),
  ...rows('53100 58030 XX001 XX002 ENOSPC', 'storage', 'storage_unavailable', 30),
  ...rows('57014 55P03 25P03 25P04', 'busy', 'deadline_exceeded', 2),
  ...rows('40001 40P01', 'again', 'database_unavailable', 1),
  // A value that we should have refused.
  ...rows('22001 22003 22007 22008 22021 22P02 22P05', 'data', 'event_quarantined', 1),
  ...rows('23502 23503 23505 23514 54000', 'data', 'event_quarantined', 1),
  // Migrations have not run, or are behind.
  ...rows('42P01 42703 42883 0A000', 'away', 'not_ready', 5),
];

const postgresError = (code: string, more: object = {}): Error =>
  Object.assign(new Error('duplicate key: Key (project_id, id)=(1, secret)'), { code, ...more });

describe('what a fault of the database means for a request', () => {
  it.each(ROWS)('%s is %s: %s', (code, kind, answer, seconds) => {
    expect(describeFault(postgresError(code))).toEqual({
      kind,
      code: answer,
      retryAfterSeconds: seconds,
      sqlState: code,
    });
  });

  it('covers every row of the table', () => {
    const tried = ROWS.map(([code]) => code);
    for (const { codes } of FAULTS)
      for (const code of codes)
        expect(
          code === 'PANIC' || tried.some((one) => one === code || (code.length === 2 && one.startsWith(code))),
        ).toBe(true);
  });

  it('takes a PANIC for a failing disk, whatever its code', () => {
    expect(describeFault(postgresError('XX000', { severity: 'PANIC' }))).toMatchObject({ kind: 'storage' });
  });

  it('tells a missing day from a value that a CHECK refuses', () => {
    const missing = describeFault(postgresError('23514', { routine: 'ExecFindPartition' }));
    expect(missing).toMatchObject({ kind: 'partition', code: 'partition_missing', retryAfterSeconds: 30 });
    expect(describeFault(postgresError('23514', { routine: 'ExecConstraints' }))).toMatchObject({ kind: 'data' });
  });

  it('looks into what drivers and ORMs wrap', () => {
    const wrapped = new Error('Failed query', { cause: new Error('again', { cause: postgresError('53300') }) });
    expect(describeFault(wrapped)).toMatchObject({ kind: 'away', sqlState: '53300' });
  });

  it('calls everything else a defect of ours', () => {
    for (const error of [new Error('x'), postgresError('42601'), postgresError('XX000'), null, 'text', { code: 7 }])
      expect(describeFault(error)).toMatchObject({ kind: 'defect', code: 'internal_error' });
  });

  it('never answers a known fault with 500, nor repeats what PostgreSQL said', () => {
    for (const [code, kind] of ROWS) {
      const fault = describeFault(postgresError(code));
      if (kind !== 'data') expect(problemKind(fault.code).status).toBe(503);
      expect(JSON.stringify(fault)).not.toMatch(/secret|Key/);
    }
  });
});
