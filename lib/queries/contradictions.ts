import { readUsesElsewhere } from '../../db/queries/key-use';
import { readFacts } from '../../db/queries/settle';
import { findContradictions, type Contradiction } from '../core/contradiction';
import type { Resolution } from '../core/operation';
import { pinRuleSets } from '../core/rules/index';
import { alignRange } from './range';
import { filterDimensions, instantText } from './statement';
import type { Filters, QueryContext, Range } from './views';

/** One operation that contradicts what the rules say of a code. Instants are epoch ms. */
export interface ContradictionView extends Contradiction {
  operationId: string;
  service: string;
  call: string;
}

/** Newest operations with evidence that are judged again for one answer. */
const CANDIDATES_MAX = 300;

/** Pieces of evidence of one kind that are looked at, the newest. */
const EVIDENCE_MAX = 1_000;

/**
 * Codes documented as safe of which stored evidence says otherwise, newest operation first. Evidence is rare (read-backs
 * that found the effect, confirmed duplicates, judgements of people), so it is looked for first, and only its
 * operations are judged again from their facts.
 * @param code only of this code; all when left out
 */
export async function listContradictions(
  ctx: QueryContext,
  range: Range,
  filters: Filters,
  code?: string,
): Promise<ContradictionView[]> {
  const candidates = await listCandidates(ctx, alignRange(range), filters, code);
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ operation_id: id }) => id);
  const [stored, judgements] = await Promise.all([
    readFacts(ctx.db.sql, ctx.project.id, ids),
    readJudgements(ctx, ids),
  ]);
  const usesElsewhere = await readUsesElsewhere(ctx.db.sql, ctx.project.id, stored.facts);
  const { settings, profiles } = ctx.project;
  const context = { asOf: ctx.now, settings, profiles, ruleSets: pinRuleSets(ctx.project.ruleSets) };
  return candidates.flatMap(({ operation_id: operationId, service, call }) => {
    const resolution = judgements.get(operationId);
    const facts = stored.facts.get(operationId) ?? [];
    const elsewhere = usesElsewhere(operationId);
    return findContradictions({ operationId, facts, elsewhere, ...(resolution ? { resolution } : {}) }, context)
      .filter((found) => code === undefined || found.code === code)
      .map((found) => ({ ...found, operationId, service, call }));
  });
}

interface Candidate {
  operation_id: string;
  service: string;
  call: string;
}

async function listCandidates(ctx: QueryContext, range: Range, filters: Filters, code: string | undefined) {
  const { sql } = ctx.db;
  const evidenced = await listEvidenced(ctx, range);
  if (evidenced.length === 0) return [];
  const met = code === undefined ? sql`` : sql`and f.value = ${code}`;
  return sql<Candidate[]>`
    select o.operation_id, d.service, d.call from operation o
    join dimension d on d.project_id = ${ctx.project.id} and d.id = o.dimension_id
    where o.project_id = ${ctx.project.id} and o.operation_id = any(${evidenced}::text[])
      and o.first_at >= ${instantText(range.from)}::timestamptz and o.first_at < ${instantText(range.to)}::timestamptz
      and exists (select 1 from operation_ref f where f.project_id = ${ctx.project.id}
        and f.operation_id = o.operation_id and f.kind = 'code' ${met})
      ${filterDimensions(sql, filters, ['code', 'action'])}
    order by o.first_at desc, o.operation_id desc limit ${CANDIDATES_MAX}`;
}

/**
 * Operations of which something says that they had an effect, newest evidence first: all of it came after their first
 * send. A statement of its own, so that the few ids lead the rest, whatever the statistics say of big tables.
 */
async function listEvidenced(ctx: QueryContext, range: Range): Promise<string[]> {
  const { sql } = ctx.db;
  const from = instantText(range.from);
  const rows = await sql<{ operation_id: string }[]>`
    (select operation_id from fact where project_id = ${ctx.project.id} and type = 'readback'
      and at >= ${from}::timestamptz and event ->> 'result' = 'present' order by fact.at desc limit ${EVIDENCE_MAX})
    union
    (select operation_id from finding where project_id = ${ctx.project.id} and check_name = 'duplicate_suspected'
      and at >= ${from}::timestamptz and operation_id is not null and evidence ->> 'level' = 'confirmed'
      order by finding.at desc limit ${EVIDENCE_MAX})
    union
    (select operation_id from review_item where project_id = ${ctx.project.id} and state = 'resolved'
      and resolution in ('applied_once', 'applied_more_than_once', 'partly_applied')
      and doubt_until >= ${from}::timestamptz order by doubt_until desc limit ${EVIDENCE_MAX})`;
  return rows.map((row) => row.operation_id);
}

/** The newest judgement of a person on each operation; what evidence settled isn't one. */
async function readJudgements(ctx: QueryContext, operationIds: string[]) {
  const rows = await ctx.db.sql<{ operation_id: string; resolution: Resolution; resolved_at: number }[]>`
    select distinct on (operation_id) operation_id, resolution,
           (extract(epoch from resolved_at) * 1000)::float8 as resolved_at
    from review_item where project_id = ${ctx.project.id} and operation_id = any(${operationIds}::text[])
      and state = 'resolved' and resolution_note is not null
    order by operation_id, episode desc`;
  return new Map(
    rows.map(({ operation_id: id, resolution, resolved_at: resolvedAt }) => [id, { resolution, resolvedAt }]),
  );
}
