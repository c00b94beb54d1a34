import type postgres from 'postgres';

type Work<T> = (sql: postgres.ReservedSql) => T | Promise<T>;

/** Can the server still hear a `rollback`? It can't once it has ended the connection, or the socket is gone. */
function isConnectionAlive(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  if (severity === 'FATAL' || severity === 'PANIC') return false;
  return !(typeof code === 'string' && /^(CONNECTION_|CONNECT_|E[A-Z]+$|57P0)/.test(code));
}

/**
 * Puts our own `begin` in the place of postgres.js' one. That one sends `rollback` down a connection that was lost in
 * mid-transaction, which throws outside of every promise and ends the process; a lost connection has rolled back anyway.
 * Savepoints are not offered.
 */
export function installSafeBegin(sql: postgres.Sql): void {
  const begin = async <T>(first: string | Work<T>, second?: Work<T>): Promise<T> => {
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
  Object.assign(sql, { begin });
}

/**
 * A transaction without round trips of its own: `begin` goes out with the first statement, and `work` sends `commit`
 * behind its last ones and awaits it. PostgreSQL turns a commit after a failed statement into a rollback, so a
 * failure among them means that nothing was kept.
 */
export async function inPipelinedTransaction<T>(
  sql: postgres.Sql,
  work: (sql: postgres.ReservedSql, commit: () => PromiseLike<unknown>) => Promise<T>,
): Promise<T> {
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
