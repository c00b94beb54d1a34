import { cutPage, decodeCursor } from './cursor';
import { alignRange } from './range';
import { filterDimensions, instantText, type Fragment, type Statement } from './statement';
import type { AlwaysEarlyView, Filters, Page, QueryContext, Range } from './views';

export interface AlwaysEarlyInput {
  range: Range;
  filters: Filters;
  cursor?: string;
  limit: number;
}

interface AlwaysEarlyRow {
  operation_id: string;
  service: string;
  call: string;
  code: string;
  at: number;
  retries: number;
  early_ms_max: number;
}

/**
 * Operations whose every judged retry came inside the asked wait, worst first, a page of them.
 * @throws QueryInputError on a foreign cursor
 */
export async function listAlwaysEarly(ctx: QueryContext, input: AlwaysEarlyInput): Promise<Page<AlwaysEarlyView>> {
  const { sql } = ctx.db;
  const { from, to } = alignRange(input.range);
  const rows = await sql<AlwaysEarlyRow[]>`
    select p.operation_id, (array_agg(d.service order by p.at))[1] as service, (array_agg(d.call order by p.at))[1] as call,
           (array_agg(d.code order by p.at))[1] as code, floor(extract(epoch from min(p.at)) * 1000)::float8 as at,
           count(*)::float8 as retries, max(p.early_ms)::float8 as early_ms_max
    from retry_pair p join dimension d on d.project_id = ${ctx.project.id} and d.id = p.dimension_id
    where p.project_id = ${ctx.project.id} and p.compliance in ('early', 'early_capped')
      and p.at >= ${instantText(from)}::timestamptz and p.at < ${instantText(to)}::timestamptz
      ${filterDimensions(sql, input.filters)}
      and not exists (select 1 from retry_pair h where h.project_id = ${ctx.project.id}
        and h.operation_id = p.operation_id and h.compliance = 'honoured')
    group by p.operation_id ${after(sql, input.cursor)}
    order by retries desc, early_ms_max desc, p.operation_id limit ${input.limit + 1}`;
  const page = cutPage(rows, input.limit, (row) => [row.retries, row.early_ms_max, row.operation_id]);
  const items = page.rows.map((row) => ({
    operationId: row.operation_id,
    service: row.service,
    call: row.call,
    code: row.code,
    at: row.at,
    retries: row.retries,
    earlyMsMax: row.early_ms_max,
  }));
  return { items, nextCursor: page.nextCursor };
}

function after(sql: Statement, cursor: string | undefined): Fragment {
  if (cursor === undefined) return sql``;
  const [retries, earlyMsMax, operationId] = decodeCursor(cursor, ['number', 'number', 'string']);
  return sql`having (-count(*)::float8, -max(p.early_ms)::float8, p.operation_id)
    > (${-Number(retries)}::float8, ${-Number(earlyMsMax)}::float8, ${String(operationId)})`;
}
