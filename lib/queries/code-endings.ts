import type { OperationState } from '../core/operation';
import { filterCodes } from './operations';
import { alignRange } from './range';
import { filterDimensions, instantText } from './statement';
import type { Filters, QueryContext, Range } from './views';

/** How operations that met one code ended; the parts add up to `calls`. */
export interface CodeEndingsView {
  calls: number;
  firstTrySuccess: number;
  successAfterRetry: number;
  exhausted: number;
  unresolved: number;
  open: number;
  /** null without operations. */
  attemptsPerOperation: number | null;
}

interface EndingRow {
  state: OperationState;
  retried: boolean;
  operations: number;
  attempts: number;
}

/** Operations whose first send is in the range and that met the code on any send, by how they ended. */
export async function getCodeEndings(
  ctx: QueryContext,
  code: string,
  asked: Range,
  filters: Filters,
): Promise<CodeEndingsView> {
  const { sql } = ctx.db;
  const range = alignRange(asked);
  const rows = await sql<EndingRow[]>`
    select o.state, o.retried, count(*)::float8 as operations, sum(o.attempts)::float8 as attempts from operation o
    join dimension d on d.project_id = ${ctx.project.id} and d.id = o.dimension_id
    where o.project_id = ${ctx.project.id}
      and o.first_at >= ${instantText(range.from)}::timestamptz and o.first_at < ${instantText(range.to)}::timestamptz
      ${filterDimensions(sql, filters, ['code'])} ${filterCodes(sql, ctx, range, [code])}
    group by 1, 2`;
  const count = (test: (row: EndingRow) => boolean): number =>
    rows.filter(test).reduce((sum, row) => sum + row.operations, 0);
  const calls = count(() => true);
  return {
    calls,
    firstTrySuccess: count((row) => row.state === 'succeeded' && !row.retried),
    successAfterRetry: count(
      (row) => row.state === 'succeeded_with_possible_duplicates' || (row.state === 'succeeded' && row.retried),
    ),
    exhausted: count((row) => ['failed', 'cancelled', 'partially_applied'].includes(row.state)),
    unresolved: count((row) => row.state === 'unresolved'),
    open: count((row) => row.state === 'in_progress'),
    attemptsPerOperation: calls > 0 ? rows.reduce((sum, row) => sum + row.attempts, 0) / calls : null,
  };
}
