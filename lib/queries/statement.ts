import type postgres from 'postgres';
import { templateCall } from '../core/call-template';
import type { Filters } from './views';
import type { Span } from './range';

/** A pool or a transaction. */
export type Statement = postgres.ISql;
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Epoch ms as the text of a timestamptz. */
export function instantText(at: number): string {
  return new Date(at).toISOString();
}

/** `column` as epoch ms in a select list. */
export function epochMs(sql: Statement, column: string): Fragment {
  return sql`floor(extract(epoch from ${sql(column)}) * 1000)::float8`;
}

const DIMENSION_FIELDS = [
  'service',
  'call',
  'kind',
  'code',
  'action',
  'profile',
  'target',
  'sdk',
  'environment',
] as const;
export type DimensionField = (typeof DIMENSION_FIELDS)[number];

/** A call is found by its template and as it was sent: rows are counted by templates, older ones as they were sent. */
function wordsOf(field: DimensionField, words: readonly string[]): string[] {
  return field === 'call' ? [...new Set(words.flatMap((word) => [word, templateCall(word)]))] : [...words];
}

/** `and d.service = any(…)` for every field that filters. The dimension is aliased `d`. */
export function filterDimensions(sql: Statement, filters: Filters, without: readonly DimensionField[] = []): Fragment {
  return DIMENSION_FIELDS.reduce<Fragment>(
    (all, field) => {
      const words: readonly string[] | undefined = filters[field];
      if (!words || words.length === 0 || without.includes(field)) return all;
      return sql`${all} and d.${sql(field)} = any(${wordsOf(field, words)}::text[])`;
    },
    sql``,
  );
}

/**
 * `and r.dimension_id in (…)` for rows aliased `alias`, or nothing when nothing filters: what is summed over every
 * dimension needs none of them read.
 */
export function inDimensions(sql: Statement, alias: string, projectId: number, filters: Filters): Fragment {
  if (!DIMENSION_FIELDS.some((field) => (filters[field]?.length ?? 0) > 0)) return sql``;
  return sql`and ${sql(`${alias}.dimension_id`)} in (
    select d.id from dimension d where d.project_id = ${projectId} ${filterDimensions(sql, filters)})`;
}

export type RollupTable = 'rate_rollup' | 'operation_rollup' | 'compliance_rollup';

/** Columns that narrow rollup rows are summed over (lib/core/rollup.ts). */
const NARROWED: ReadonlySet<DimensionField> = new Set(['call', 'target', 'sdk']);

/**
 * Which rollup rows answer a question: the narrow ones, of which there are few, unless it asks by what they are summed
 * over. Both give the same sums.
 */
export function chooseWidth(filters: Filters, groupBy?: DimensionField): Width {
  const asked = (field: DimensionField): boolean => (filters[field]?.length ?? 0) > 0;
  if (groupBy && NARROWED.has(groupBy)) return 'wide';
  return [...NARROWED].some(asked) ? 'wide' : 'narrow';
}
export type Width = 'wide' | 'narrow';

/** The rollup rows of a project in some spans, as one `union all`. Minutes are kept wide only. */
export function readSpans(
  sql: Statement,
  table: RollupTable,
  projectId: number,
  spans: readonly Span[],
  width: Width,
): Fragment {
  const parts = spans.map(({ grain, from, to }) => {
    const kept = width === 'narrow' && grain !== 1 ? -grain : grain;
    return sql`select * from ${sql(table)} where project_id = ${projectId} and grain = ${kept}
      and at >= ${instantText(from)}::timestamptz and at < ${instantText(to)}::timestamptz`;
  });
  const none: Fragment = sql`select * from ${sql(table)} where project_id = ${projectId} and false`;
  const [first = none, ...rest] = parts;
  return rest.reduce<Fragment>((all, part) => sql`${all} union all ${part}`, first);
}

/**
 * Number, from 1, of the bucket an aliased column falls into; 0 without buckets. The starts sit in a subselect because
 * reading instants from text depends on the session: bare, it would be done again for every row.
 */
export function bucketNumber(sql: Statement, column: string, starts: readonly number[]): Fragment {
  if (starts.length === 0) return sql`0`;
  return sql`width_bucket(${sql(column)}, ${instantArray(sql, starts)})`;
}

/** Start of the bucket an aliased column falls into; null without buckets. */
export function bucketStartOf(sql: Statement, column: string, starts: readonly number[]): Fragment {
  const array = instantArray(sql, starts);
  return sql`(${array})[width_bucket(${sql(column)}, ${array})]`;
}

function instantArray(sql: Statement, instants: readonly number[]): Fragment {
  return sql`(select ${`{${instants.map(instantText).join(',')}}`}::text::timestamptz[])`;
}
