import type { Attempt, Tally } from '@/lib/core/attempt';
import { classify, ruleSetOf } from '@/lib/core/classify';
import { resolveKind } from '@/lib/core/kind';
import { resolveProfile } from '@/lib/core/profile';
import type { AuthorizedProject } from '@/lib/core/project';
import { dimensionOf, narrowDimension, SUCCESS_CODE, type Dimension } from '@/lib/core/rollup';
import { pinRuleSets } from '@/lib/core/rules/index';
import { dimensionId } from '@/lib/platform/ids';

export interface NamedDimension {
  id: bigint;
  dimension: Dimension;
}

/** A dimension and the one its narrow rollup rows are counted under. */
export interface PreparedDimension extends NamedDimension {
  narrow: NamedDimension;
}

function prepareDimension(dimension: Dimension): PreparedDimension {
  const narrow = narrowDimension(dimension);
  return { id: dimensionId(dimension), dimension, narrow: { id: dimensionId(narrow), dimension: narrow } };
}

/** What a row keeps of the verdict given on arrival. */
export interface Judgement {
  dimension: PreparedDimension;
  ruleSet: string;
}

/** What an attempt counts under never hangs on these: names of the one send, its texts and its waits. */
const IRRELEVANT: ReadonlySet<string> = new Set([
  'type',
  'id',
  'operationId',
  'attempt',
  'startedAt',
  'receivedAt',
  'instance',
  'scope',
  'credential',
  'fingerprint',
  'businessKey',
  'requestId',
  'jobId',
  'parentOperationId',
  'policy',
  'plannedDelayMs',
  'reason',
  'amount',
  'attributes',
  'message',
  'warning',
]);
/** Of these only whether they are there. */
const PRESENCE: ReadonlySet<string> = new Set(['headersAt', 'endedAt', 'retryAfter', 'retryAfterBody', 'dateHeader']);

const JUDGEMENTS_MAX = 20_000;

/** What of a project an attempt is judged by. */
export type JudgingProject = Pick<AuthorizedProject, 'profiles' | 'ruleSets'>;

interface Memory {
  judgements: Map<string, Judgement>;
  pinned: ReturnType<typeof pinRuleSets>;
}
const memories = new WeakMap<JudgingProject, Memory>();

function memoryOf(project: JudgingProject): Memory {
  let known = memories.get(project);
  if (!known) memories.set(project, (known = { judgements: new Map(), pinned: pinRuleSets(project.ruleSets) }));
  return known;
}

function keyOf(attempt: Attempt): string {
  let key = '';
  // Facts are made by us: their members are their own, so nothing is inherited here.
  for (const name in attempt) {
    if (IRRELEVANT.has(name)) continue;
    if (PRESENCE.has(name)) key += `${name}\u0001`;
    else key += keyPart(name, attempt[name as keyof Attempt]);
  }
  return key;
}

function keyPart(name: string, value: unknown): string {
  if (typeof value === 'string') return `${name}"${value}\u0001`;
  if (typeof value === 'number') return `${name}:${value}\u0001`;
  if (name === 'idempotency') return `${idempotencyKey(value as NonNullable<Attempt['idempotency']>)}\u0001`;
  return `${name}:${JSON.stringify(value)}\u0001`;
}

/** Every operation has a key of its own; what counts is that it has one. */
function idempotencyKey({ keyHash, mode, replayed }: NonNullable<Attempt['idempotency']>): string {
  return `idempotency ${keyHash !== undefined} ${mode ?? ''} ${String(replayed)}`;
}

/** By the project's mapping of targets and its pinned editions. */
export function judgeAnew(attempt: Attempt, project: JudgingProject): Judgement {
  const profile = resolveProfile(attempt, project.profiles);
  const verdict = classify(attempt, ruleSetOf(attempt, project.profiles, memoryOf(project).pinned));
  const dimension = dimensionOf(attempt, verdict, resolveKind(attempt, profile), profile);
  return { dimension: prepareDimension(dimension), ruleSet: verdict.ruleSet };
}

/**
 * The dimension and rule set of an attempt. Most attempts of a batch differ only in what no rule asks for,
 * so the judgement is remembered by the rest; a property test holds this equal to judging each anew.
 */
export function judgeAttempt(attempt: Attempt, project: JudgingProject): Judgement {
  const { judgements } = memoryOf(project);
  const key = keyOf(attempt);
  const found = judgements.get(key);
  if (found) return found;
  if (judgements.size >= JUDGEMENTS_MAX) judgements.clear();
  const made = judgeAnew(attempt, project);
  judgements.set(key, made);
  return made;
}

/** What a tally's successes count under. */
export function judgeTally(fact: Tally, { profiles }: Pick<JudgingProject, 'profiles'>): PreparedDimension {
  const profile = resolveProfile(fact, profiles);
  const dimension = dimensionOf(fact, { action: 'none', code: SUCCESS_CODE }, resolveKind(fact, profile), profile);
  return prepareDimension(dimension);
}
