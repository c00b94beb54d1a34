import type { ProblemCode } from './problem';

/**
 * What a database error means for a request. `again`: the transaction did nothing and may run once more.
 * `data`: a value we should have refused; the event is to be found. `defect`: none of the known faults.
 */
export type FaultKind = 'away' | 'busy' | 'again' | 'storage' | 'partition' | 'data' | 'defect';

export interface DatabaseFault {
  kind: FaultKind;
  code: ProblemCode;
  retryAfterSeconds: number;
  /** SQLSTATE or the driver's own code, for logs; never PostgreSQL's `detail`, which holds row values. */
  sqlState: string;
}

interface FaultRow {
  /** SQLSTATE, its class (two characters), or a code of the driver or of Node. */
  codes: readonly string[];
  kind: FaultKind;
  code: ProblemCode;
  retryAfterSeconds: number;
}

/** First match wins; whole codes stand before their classes. */
export const FAULTS: readonly FaultRow[] = [
  {
    codes: ['53100', '58030', 'XX001', 'XX002', 'ENOSPC', 'PANIC'],
    kind: 'storage',
    code: 'storage_unavailable',
    retryAfterSeconds: 30,
  },
  { codes: ['40001', '40P01'], kind: 'again', code: 'database_unavailable', retryAfterSeconds: 1 },
  { codes: ['57014', '55P03', '25P03', '25P04'], kind: 'busy', code: 'deadline_exceeded', retryAfterSeconds: 2 },
  {
    codes: ['08', '57P01', '57P02', '57P03', '57P05', '53', '55006', '3D000', '28'],
    kind: 'away',
    code: 'database_unavailable',
    retryAfterSeconds: 2,
  },
  {
    codes: [
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ENOENT',
      'ENOTFOUND',
      'EAI_AGAIN',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'CONNECTION_CLOSED',
      'CONNECTION_ENDED',
      'CONNECTION_DESTROYED',
      'CONNECT_TIMEOUT',
    ],
    kind: 'away',
    code: 'database_unavailable',
    retryAfterSeconds: 2,
  },
  // 54: a value that is too large for an index or a row.
  { codes: ['22', '23', '54'], kind: 'data', code: 'event_quarantined', retryAfterSeconds: 1 },
  // Migrations have not run, or run right now.
  { codes: ['42P01', '42703', '42883', '0A000'], kind: 'away', code: 'not_ready', retryAfterSeconds: 5 },
];

const UNKNOWN: DatabaseFault = { kind: 'defect', code: 'internal_error', retryAfterSeconds: 1, sqlState: '' };

function codeOf(error: unknown): string {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  if (severity === 'PANIC') return 'PANIC';
  return typeof code === 'string' ? code : '';
}

/** Drivers and ORMs wrap what PostgreSQL said; the innermost known code counts. */
export function describeFault(error: unknown): DatabaseFault {
  for (let inner: unknown = error, depth = 0; inner && depth < 5; depth += 1) {
    const fault = lookUp(inner);
    if (fault) return fault;
    inner = (inner as { cause?: unknown }).cause;
  }
  return { ...UNKNOWN, sqlState: codeOf(error) };
}

function lookUp(error: unknown): DatabaseFault | null {
  const sqlState = codeOf(error);
  if (sqlState === '') return null;
  // A missing day is a 23514 like any CHECK, but without a constraint's name.
  if (sqlState === '23514' && (error as { routine?: unknown }).routine === 'ExecFindPartition')
    return { kind: 'partition', code: 'partition_missing', retryAfterSeconds: 30, sqlState };
  const exact = FAULTS.find((row) => row.codes.includes(sqlState));
  const row =
    exact ?? FAULTS.find(({ codes }) => /^[0-9A-Z]{5}$/.test(sqlState) && codes.includes(sqlState.slice(0, 2)));
  return row ? { kind: row.kind, code: row.code, retryAfterSeconds: row.retryAfterSeconds, sqlState } : null;
}
