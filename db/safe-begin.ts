import type postgres from 'postgres';

type Work<T> = (sql: postgres.ReservedSql) => T | Promise<T>;

/** Can the server still hear a `rollback`? It can't once it has ended the connection, or the socket is gone. */
function isConnectionAlive(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  if (severity === 'FATAL' || severity === 'PANIC') return false;
  return !(typeof code === 'string' && /^(CONNECTION_|CONNECT_|E[A-Z]+$|57P0)/.test(code));
}

/** How long a transaction may stay silent once a connection of its pool has closed. */
const SILENCE_MS = 500;

/**
 * Ends what waits for a lost statement: postgres.js forgets the statements that a reserved connection had still to send
 * when that connection closes, and their promises stay open for ever. The transaction itself was rolled back, or its
 * end is unknown, as with every lost connection; on a healthy connection it goes on and gives it back.
 */
export class LossWatch {
  private readonly waiting = new Set<() => void>();

  /** A connection of the pool has closed. */
  tell(): void {
    for (const alarm of this.waiting) alarm();
  }

  /** @throws what `work` throws, or an error with the code CONNECTION_CLOSED after a loss and a silence */
  async guard<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let alarm = (): void => undefined;
    const lost = new Promise<never>((_resolve, reject) => {
      alarm = () => {
        timer ??= setTimeout(() => {
          reject(Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' }));
        }, SILENCE_MS);
      };
    });
    this.waiting.add(alarm);
    try {
      return await Promise.race([work, lost]);
    } finally {
      clearTimeout(timer);
      this.waiting.delete(alarm);
    }
  }
}

const watches = new WeakMap<postgres.Sql, LossWatch>();

function guarded<T>(sql: postgres.Sql, work: Promise<T>): Promise<T> {
  return watches.get(sql)?.guard(work) ?? work;
}

/**
 * Puts our own `begin` in the place of postgres.js' one. That one sends `rollback` down a connection that was lost in
 * mid-transaction, which throws outside of every promise and ends the process; a lost connection has rolled back anyway.
 * Savepoints are not offered.
 */
export function installSafeBegin(sql: postgres.Sql, watch: LossWatch): void {
  watches.set(sql, watch);
  const run = async <T>(first: string | Work<T>, second?: Work<T>): Promise<T> => {
    const [options, work] = typeof first === 'string' ? [first, second] : ['', first];
    if (!work) throw new TypeError('begin needs a function');
    const connection = await sql.reserve();
    try {
      await connection.unsafe(`begin ${options.replace(/[^a-z ]/gi, '')}`);
      const result = await work(connection);
      await connection`commit`;
      connection.release();
      return result;
    } catch (error) {
      // A connection that is gone leaves the reserved ones by itself.
      if (isConnectionAlive(error)) await giveBack(connection);
      throw error;
    }
  };
  const begin = <T>(first: string | Work<T>, second?: Work<T>): Promise<T> => guarded(sql, run(first, second));
  Object.assign(sql, { begin });
}

/**
 * A transaction without round trips of its own: `begin` goes out with the first statement, and `work` sends `commit`
 * behind its last ones and awaits it. PostgreSQL turns a commit after a failed statement into a rollback, so a
 * failure among them means that nothing was kept.
 */
export function inPipelinedTransaction<T>(sql: postgres.Sql, work: PipelinedWork<T>): Promise<T> {
  return guarded(sql, runPipelined(sql, work));
}

/** One statement that is a transaction by itself: no begin, no commit, one round trip. */
export function inOneStatement<T>(sql: postgres.Sql, work: (sql: postgres.ISql) => PromiseLike<T>): Promise<T> {
  return guarded(sql, Promise.resolve(work(sql)));
}

type PipelinedWork<T> = (sql: postgres.ReservedSql, commit: () => PromiseLike<unknown>) => Promise<T>;

async function runPipelined<T>(sql: postgres.Sql, work: PipelinedWork<T>): Promise<T> {
  const connection = await sql.reserve();
  try {
    const [, result] = await Promise.all([connection`begin`.execute(), work(connection, () => connection`commit`)]);
    connection.release();
    return result;
  } catch (error) {
    if (isConnectionAlive(error)) await giveBack(connection);
    throw error;
  }
}

async function giveBack(connection: postgres.ReservedSql): Promise<void> {
  try {
    await connection`rollback`;
    connection.release();
  } catch {
    // Lost after all.
  }
}
