import { isFullJitter, QUILLHUB_BASE_MS, QUILLHUB_CAP_MS } from '../backoff-bound';
import { groupSends, type StreamSend } from './stream';

/** Gaps that a client's own backoff decided: shared by M9 and M23. */

export interface BackoffPair {
  send: StreamSend;
  /** Number of the retry from 0: the exponent of its bound. */
  step: number;
  gapMs: number;
}

/** Pairs of one service under one declared policy. */
export interface BackoffGroup {
  service: string;
  pairs: BackoffPair[];
  /** Undefined where nobody declared it. */
  baseMs: number | undefined;
  capMs: number | undefined;
  /** Full jitter is the rule (QuillHub) or was declared (X16). */
  fullJitter: boolean;
}

/** Not after an asked wait, a success, a repair, or QuillHub's single retry of a 429; not between two clocks. */
function pairOf(send: StreamSend): BackoffPair | null {
  const { previous: from } = send;
  if (from === null || (send.reason !== undefined && send.reason !== 'retry')) return null;
  if (from.askedMs !== null || from.clock !== send.clock || send.attempt !== from.attempt + 1) return null;
  if (from.action !== 'retry_with_limit' && from.action !== 'state_verification_required') return null;
  if (from.code === 'ENOTFOUND' || (from.profile === 'quillhub' && from.rule === 'HTTP_429')) return null;
  const gapMs = send.startAt - from.refAt;
  return gapMs < 0 ? null : { send, step: from.attempt - 1, gapMs };
}

function policyOf({ profile, policy }: StreamSend): Omit<BackoffGroup, 'service' | 'pairs'> {
  const quillhub = profile === 'quillhub';
  return {
    baseMs: policy?.baseMs ?? (quillhub ? QUILLHUB_BASE_MS : undefined),
    capMs: policy?.capMs ?? (quillhub ? QUILLHUB_CAP_MS : undefined),
    fullJitter: isFullJitter(profile, policy?.jitter),
  };
}

/** Backoff pairs per service and policy; sends in any order. */
export function backoffGroupsOf(sends: readonly StreamSend[]): BackoffGroup[] {
  const pairs = sends.flatMap((send) => pairOf(send) ?? []);
  const byEvent = new Map(pairs.map((pair) => [pair.send, pair]));
  const groups = groupSends(
    pairs.map(({ send }) => send),
    (send) => JSON.stringify([send.service, policyOf(send), send.policy?.jitter]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const own = group.flatMap((send) => byEvent.get(send) ?? []);
    return [{ service: first.service, pairs: own, ...policyOf(first) }];
  });
}

export function pairsByStep(pairs: readonly BackoffPair[]): Map<number, BackoffPair[]> {
  const steps = new Map<number, BackoffPair[]>();
  for (const pair of pairs) {
    const known = steps.get(pair.step);
    if (known) known.push(pair);
    else steps.set(pair.step, [pair]);
  }
  return steps;
}
