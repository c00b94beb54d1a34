import type { Attempt } from '@/lib/core/attempt';
import { classify, ruleSetOf } from '@/lib/core/classify';
import { resolveKind } from '@/lib/core/kind';
import { resolveProfile } from '@/lib/core/profile';
import type { AuthorizedProject, ProfileRules } from '@/lib/core/project';
import { dimensionOf, type Dimension } from '@/lib/core/rollup';
import { dimensionId } from '@/lib/platform/ids';

export interface PreparedDimension {
  id: bigint;
  dimension: Dimension;
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
const memory = new WeakMap<ProfileRules, Map<string, Judgement>>();

function keyOf(attempt: Attempt): string {
  let key = '';
  for (const [name, value] of Object.entries(attempt) as [string, unknown][]) {
    if (IRRELEVANT.has(name)) continue;
    if (PRESENCE.has(name)) key += name;
    else if (typeof value === 'string') key += `${name}"${value}`;
    else if (name === 'idempotency') key += idempotencyKey(value as NonNullable<Attempt['idempotency']>);
    else key += `${name}:${JSON.stringify(value)}`;
    key += '\u0001';
  }
  return key;
}

/** Every operation has a key of its own; what counts is that it has one. */
function idempotencyKey({ keyHash, mode, replayed }: NonNullable<Attempt['idempotency']>): string {
  return `idempotency ${keyHash !== undefined} ${mode ?? ''} ${String(replayed)}`;
}

export function judgeAnew(attempt: Attempt, profiles: ProfileRules): Judgement {
  const profile = resolveProfile(attempt, profiles);
  const verdict = classify(attempt, ruleSetOf(attempt, profiles));
  const dimension = dimensionOf(attempt, verdict, resolveKind(attempt, profile), profile);
  return { dimension: { id: dimensionId(dimension), dimension }, ruleSet: verdict.ruleSet };
}

/**
 * The dimension and rule set of an attempt. Most attempts of a batch differ only in what no rule asks for,
 * so the judgement is remembered by the rest; a property test holds this equal to judging each anew.
 */
export function judgeAttempt(attempt: Attempt, { profiles }: Pick<AuthorizedProject, 'profiles'>): Judgement {
  let known = memory.get(profiles);
  if (!known) memory.set(profiles, (known = new Map<string, Judgement>()));
  const key = keyOf(attempt);
  const found = known.get(key);
  if (found) return found;
  if (known.size >= JUDGEMENTS_MAX) known.clear();
  const made = judgeAnew(attempt, profiles);
  known.set(key, made);
  return made;
}
