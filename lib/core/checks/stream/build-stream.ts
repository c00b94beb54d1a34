import { PROFILES, type Fact, type Profile } from '../../attempt';
import { methodOf, resolveKind } from '../../kind';
import type { JudgedAttempt } from '../../operation';
import { serverKeyOf } from '../../profile';
import { isReplayed } from '../../timeline';
import { isAsked, referenceTime } from '../../wait';
import type { StreamFacts, StreamSend } from './stream';

/** Judged attempts and other facts → what stream checks read. */

function profileOf(ruleSet: string): Profile {
  const name = ruleSet.split('@', 1)[0];
  return PROFILES.find((profile) => profile === name) ?? 'http';
}

function toStreamSend({ attempt, verdict }: JudgedAttempt, previous: StreamSend | null): StreamSend {
  const profile = profileOf(verdict.ruleSet);
  const { startedAt, sdk } = attempt;
  return {
    operationId: attempt.operationId,
    parentOperationId: attempt.parentOperationId,
    eventId: attempt.id,
    attempt: attempt.attempt,
    service: attempt.service,
    instance: attempt.instance,
    sdk: sdk && (sdk.version === undefined ? sdk.name : `${sdk.name}@${sdk.version}`),
    clock: `${attempt.service}\u0000${attempt.instance ?? ''}`,
    call: attempt.call,
    method: methodOf(attempt),
    kind: resolveKind(attempt, profile),
    profile,
    target: attempt.target,
    scope: attempt.scope,
    credential: attempt.credential,
    action: verdict.action,
    effect: verdict.effect,
    code: verdict.code,
    rule: verdict.rule,
    authRefused: verdict.gates.includes('fix_auth'),
    askedMs: isAsked(verdict.wait) ? verdict.wait.delayMs : null,
    strict: verdict.wait.strict,
    warned: attempt.warning !== undefined && attempt.warning.trim() !== '',
    replayed: isReplayed(attempt),
    startAt: startedAt,
    refAt: referenceTime(attempt),
    endAt: Math.max(attempt.endedAt ?? attempt.headersAt ?? startedAt, startedAt),
    receivedAt: attempt.receivedAt,
    reason: attempt.reason,
    policy: attempt.policy,
    fingerprint: attempt.fingerprint,
    keyHash: attempt.idempotency?.keyHash,
    serverKey: serverKeyOf(attempt, profile),
    jobId: attempt.jobId,
    previous,
  };
}

/**
 * @param judged the sends of ONE operation in timeline order (`conclusion.attempts`, `timeline.sends`); what was made
 *   up for a client that died is left out, since nobody knows when it ended
 */
export function toStreamSends(judged: readonly JudgedAttempt[]): StreamSend[] {
  const sends: StreamSend[] = [];
  for (const one of judged) {
    if (!one.synthetic) sends.push(toStreamSend(one, sends.at(-1) ?? null));
  }
  return sends;
}

/** Facts of any number of operations, sorted out for stream checks; repeats of an id are dropped. */
export function toStreamFacts(facts: readonly Fact[]): StreamFacts {
  const known = new Set<string>();
  const own = facts.filter(({ type, id }) => {
    if (type === 'attempt' || known.has(id)) return false;
    if (id !== '') known.add(id);
    return true;
  });
  const of = <T extends Fact['type']>(type: T) =>
    own.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
  return {
    refreshes: of('auth_refresh'),
    fixes: of('cause_fixed'),
    deliveries: of('webhook_delivery'),
    jobs: of('job_result'),
    tallies: of('tally'),
  };
}
