import { readUsesElsewhere } from '../../db/queries/key-use';
import { readItemFacts, readJudgement } from '../../db/queries/review';
import { readRetentionMark } from '../../db/queries/retention-mark';
import { mergeFacts, readFacts, readSharedFacts } from '../../db/queries/settle';
import type { Fact } from '../core/attempt';
import { foldOperation } from '../core/fold';
import { findRepairChances } from '../core/repair-chance';
import type { OperationConclusion } from '../core/operation';
import { strongerState } from '../core/state-strength';
import { dimensionOf } from '../core/rollup';
import { pinRuleSets } from '../core/rules/index';
import { listStreamFindings } from './findings';
import { selectOperation, viewOperation, type OperationRow } from './operations';
import { listReviewOfOperation } from './review';
import type { OperationRowView, OperationStoryView, QueryContext, ReviewItemView } from './views';

const CHILDREN_MAX = 100;

/**
 * The whole story of one operation, folded from its facts at `ctx.now`, so that it is right even before settling has
 * come to it. Null when this project never settled a send of that operation.
 */
export async function getOperation(ctx: QueryContext, operationId: string): Promise<OperationStoryView | null> {
  const { sql } = ctx.db;
  const { settings, profiles } = ctx.project;
  const [stored, kept, judgement, row, reviews, children, across] = await Promise.all([
    readFacts(sql, ctx.project.id, [operationId]),
    readItemFacts(sql, ctx.project.id, operationId),
    readJudgement(sql, ctx.project.id, operationId),
    readRow(ctx, operationId),
    listReviewOfOperation(ctx, operationId),
    listChildren(ctx, operationId),
    listStreamFindings(ctx, operationId),
  ]);
  const own = mergeFacts(kept.facts, stored.facts.get(operationId) ?? []);
  if (own.length === 0) return row && storyOfRow(row, reviews, children);
  const context = { asOf: ctx.now, settings, profiles, ruleSets: pinRuleSets(ctx.project.ruleSets) };
  const usesElsewhere = await readUsesElsewhere(sql, ctx.project.id, new Map([[operationId, own]]));
  const elsewhere = [...kept.keyUses, ...usesElsewhere(operationId)];
  const foldWith = (facts: Fact[]): OperationConclusion =>
    foldOperation({ operationId, facts, elsewhere, ...(judgement ? { resolution: judgement } : {}) }, context);
  const alone = foldWith(own);
  const chances = findRepairChances(alone.attempts).map((chance) => ({ operationId, ...chance }));
  const shared = (await readSharedFacts(sql, ctx.project.id, chances)).get(operationId) ?? [];
  const facts = mergeFacts(shared, own);
  const conclusion = shared.length > 0 ? foldWith(facts) : alone;
  const head = viewConclusion(conclusion);
  if (!head) return row && storyOfRow(row, reviews, children);
  return {
    ...(row ? await carryHead(ctx, row, head) : head),
    call: conclusion.attempts[0]?.attempt.call ?? head.call,
    callTemplate: head.call,
    reviewId: reviews.findLast((item) => item.state !== 'resolved')?.id ?? null,
    over: conclusion.over,
    sends: viewSends(conclusion, facts),
    pairs: conclusion.pairs,
    findings: [...conclusion.findings, ...across],
    facts: facts.filter((fact) => fact.type !== 'attempt').sort((a, b) => timeOf(a) - timeOf(b)),
    suggestion: conclusion.suggestion,
    reviews,
    related: { parent: parentOf(facts), children },
  };
}

/** What is left when retention has taken the facts: the conclusion without its sends. */
function storyOfRow(row: OperationRowView, reviews: ReviewItemView[], children: string[]): OperationStoryView {
  const empty = { sends: [], pairs: [], findings: [], facts: [], suggestion: null };
  return { ...row, ...empty, callTemplate: row.call, over: true, reviews, related: { parent: null, children } };
}

/** By so much the clock of a later send may lie before the first. */
const NEAR_MS = 3_600_000;

/** What was known before retention took the first sends is not forgotten for what is left (as settling keeps it). */
async function carryHead(ctx: QueryContext, row: OperationRowView, head: OperationRowView): Promise<OperationRowView> {
  if (row.firstAt >= Math.floor(head.firstAt)) return head;
  const mark = await readRetentionMark(ctx.db.sql, ctx.project.id);
  if (!mark || row.firstAt >= mark.keptFrom + NEAR_MS) return head;
  return {
    ...head,
    state: strongerState(row.state, head.state),
    attempts: Math.max(row.attempts, head.attempts),
    possibleEffects: Math.max(row.possibleEffects, head.possibleEffects),
    firstAt: row.firstAt,
    lastAt: Math.max(row.lastAt, head.lastAt),
  };
}

async function readRow(ctx: QueryContext, operationId: string): Promise<OperationRowView | null> {
  const { sql } = ctx.db;
  const [row] = await sql<OperationRow[]>`
    select ${selectOperation(sql, ctx.project.id)} from operation o
    join dimension d on d.project_id = ${ctx.project.id} and d.id = o.dimension_id
    where o.project_id = ${ctx.project.id} and o.operation_id = ${operationId}`;
  return row ? viewOperation(row) : null;
}

async function listChildren(ctx: QueryContext, operationId: string): Promise<string[]> {
  const rows = await ctx.db.sql<{ operation_id: string }[]>`
    select operation_id from operation_ref
    where project_id = ${ctx.project.id} and kind = 'parent' and value = ${operationId}
    order by operation_ref.at, operation_id limit ${CHILDREN_MAX}`;
  return rows.map((row) => row.operation_id);
}

function parentOf(facts: readonly Fact[]): string | null {
  const child = facts.find((fact) => fact.type === 'attempt' && fact.parentOperationId !== undefined);
  return child?.type === 'attempt' ? (child.parentOperationId ?? null) : null;
}

function timeOf(fact: Fact): number {
  return fact.type === 'tally' ? fact.minute : fact.startedAt;
}

/** `raw` is the event as received, masked; `receivedAt` is ours and not part of it. A died client sent a start only. */
function viewSends(conclusion: OperationConclusion, facts: readonly Fact[]): OperationStoryView['sends'] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  return conclusion.attempts.map(({ attempt, verdict, synthetic }) => {
    const { receivedAt: _receivedAt, ...raw } = { receivedAt: undefined, ...(byId.get(attempt.id) ?? attempt) };
    return { attempt, verdict, synthetic, raw };
  });
}

function viewConclusion(conclusion: OperationConclusion): OperationRowView | null {
  const first = conclusion.attempts[0];
  const last = conclusion.attempts.at(-1);
  if (!first || !last) return null;
  const dimension = dimensionOf(first.attempt, last.verdict, conclusion.kind, conclusion.profile);
  return {
    ...dimension,
    operationId: conclusion.operationId,
    state: conclusion.state,
    attempts: conclusion.attempts.length,
    possibleEffects: conclusion.possibleEffects,
    firstAt: conclusion.firstAt,
    lastAt: conclusion.lastAt,
    reviewId: null,
  };
}
