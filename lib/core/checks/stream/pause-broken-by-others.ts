import type { Settings } from '../../operation';
import { byStartAt, groupSends, scopeKeyOf, type StreamCheck, type StreamHit, type StreamSend } from './stream';

/**
 * M3: a pause that the platform asked of everybody on a scope was broken by another operation. A quarantine holds for
 * the portal (else the host and its credential), OPERATION_TIME_LIMIT for a method of the portal, CALLER_RATE_LIMITED
 * for the credential. The asking operation's own early send is M1's. Only what was known when a send started counts:
 * the latest end of the pauses opened by then.
 */

type Rule = 'TIMEOUT_QUARANTINE' | 'OPERATION_TIME_LIMIT' | 'CALLER_RATE_LIMITED';

interface Scope {
  rule: Rule;
  word: 'scope' | 'call' | 'credential';
  keyOf: (send: StreamSend, settings: Settings) => string | undefined;
}

const SCOPES: readonly Scope[] = [
  {
    rule: 'TIMEOUT_QUARANTINE',
    word: 'scope',
    keyOf: (send, settings) => (settings.quarantineByTargetSwitch >= 1 ? send.target : scopeKeyOf(send)),
  },
  {
    rule: 'OPERATION_TIME_LIMIT',
    word: 'call',
    keyOf({ scope, target, call }) {
      const portal = scope ?? target;
      return portal === undefined ? undefined : `${portal}\u0000${call.trim().toLowerCase()}`;
    },
  },
  { rule: 'CALLER_RATE_LIMITED', word: 'credential', keyOf: ({ credential }) => credential },
];

interface Pause {
  asker: StreamSend;
  askedMs: number;
  from: number;
  to: number;
}

function pausesOf(sends: readonly StreamSend[], rule: Rule, settings: Settings): Pause[] {
  const mostMs = rule === 'CALLER_RATE_LIMITED' ? settings.callerPauseMaxMs : settings.pauseMaxMs;
  return sends
    .flatMap((asker): Pause[] => {
      if (asker.rule !== rule || asker.askedMs === null) return [];
      const askedMs = Math.min(asker.askedMs, mostMs);
      return [{ asker, askedMs, from: asker.refAt, to: asker.refAt + askedMs }];
    })
    .sort((a, b) => a.from - b.from || byStartAt(a.asker, b.asker));
}

/** The pauses of one scope while time goes on: of each operation but the latest ending is of interest, so two suffice. */
class OpenPauses {
  /** Start of the run of overlapping pauses. */
  from = -Infinity;
  private to = -Infinity;
  private latest: Pause | null = null;
  private other: Pause | null = null;

  open(pause: Pause): void {
    if (pause.from >= this.to) this.from = pause.from;
    this.to = Math.max(this.to, pause.to);
    const { latest } = this;
    if (latest === null || pause.to > latest.to) {
      if (latest !== null && latest.asker.operationId !== pause.asker.operationId) this.other = latest;
      this.latest = pause;
    } else if (
      latest.asker.operationId !== pause.asker.operationId &&
      (this.other === null || pause.to > this.other.to)
    ) {
      this.other = pause;
    }
  }

  /** The latest ending pause that another operation was asked for. */
  askedOfOthers(operationId: string): Pause | null {
    return this.latest?.asker.operationId === operationId ? this.other : this.latest;
  }
}

function judge(send: StreamSend, open: OpenPauses, word: Scope['word'], settings: Settings): StreamHit | null {
  const pause = open.askedOfOthers(send.operationId);
  if (pause === null) return null;
  const { asker } = pause;
  const earlyMs = pause.to - send.startAt;
  const approx = asker.clock !== send.clock;
  const toleranceMs = asker.strict ? settings.toleranceStrictMs : settings.toleranceSecondsMs;
  if (earlyMs - (approx ? settings.dateUncertaintyMs : 0) <= toleranceMs) return null;
  const unaware = approx && send.startAt - open.from < settings.pauseGraceMs;
  return {
    check: 'pause_broken_by_others',
    severity: unaware ? 'low' : 'high',
    attempt: send.attempt,
    operationId: send.operationId,
    subject:
      word === 'credential'
        ? { kind: 'credential', value: asker.credential ?? '' }
        : { kind: 'scope', value: asker.scope ?? asker.target ?? '' },
    at: send.startAt,
    evidence: {
      code: asker.code,
      askedOf: asker.operationId,
      askedAttempt: asker.attempt,
      askedMs: pause.askedMs,
      earlyMs,
      unaware,
      approx,
      scope: word,
      operationIds: [asker.operationId, send.operationId],
    },
  };
}

function findOnScope(sends: readonly StreamSend[], { rule, word }: Scope, settings: Settings): StreamHit[] {
  const pauses = pausesOf(sends, rule, settings);
  if (pauses.length === 0) return [];
  const open = new OpenPauses();
  let next = 0;
  return [...sends].sort(byStartAt).flatMap((send) => {
    for (let pause = pauses[next]; pause && pause.from <= send.startAt; pause = pauses[++next]) open.open(pause);
    const hit = judge(send, open, word, settings);
    return hit === null ? [] : [hit];
  });
}

export const findPauseBrokenByOthers: StreamCheck = {
  check: 'pause_broken_by_others',
  groupBy: 'scope',
  lookBackMs: (settings) => settings.pauseMaxMs,
  lookAheadMs: () => 0,
  find({ sends, settings }) {
    return SCOPES.flatMap((scope) => {
      if (!sends.some(({ rule }) => rule === scope.rule)) return [];
      const groups = groupSends(sends, (send) => scope.keyOf(send, settings));
      return [...groups.values()].flatMap((group) => findOnScope(group, scope, settings));
    });
  },
};
