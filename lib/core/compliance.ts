import type { Compliance, Pair, Settings } from './operation';
import { isAbsoluteForm } from './retry-after';
import { totalDeadlineMs, type Send, type Timeline } from './timeline';
import { isAsked } from './wait';

/** Was the asked wait kept: every send with the one after it (domain.md M1, M2; contract, `compliance`). */

interface Next {
  startAt: number;
  clock: string;
}

/** How sure a gap is: ms it may be off by, and whether times of two clocks or a bare date were mixed. */
interface Doubtfulness {
  allowanceMs: number;
  approx: boolean;
  /** The head's and the end's time are both unknown: the real gap can only be shorter. */
  gapAtMost: boolean;
}

function doubtfulnessOf(send: Send, next: Next, settings: Settings): Doubtfulness {
  const { wait } = send.verdict;
  // An instant without a usable Date header was counted from the client's own clock.
  const bareDate = isAbsoluteForm(wait.form) && wait.skewMs === null;
  const twoClocks = send.clock !== next.clock;
  const gapAtMost = send.attempt.headersAt === undefined && send.attempt.endedAt === undefined;
  return {
    allowanceMs: bareDate || twoClocks ? settings.dateUncertaintyMs : 0,
    approx: bareDate || twoClocks || gapAtMost,
    gapAtMost,
  };
}

function toleranceOf(send: Send, settings: Settings): number {
  const { wait } = send.verdict;
  // A date has one second's resolution, whatever the rule asks for.
  if (isAbsoluteForm(wait.form)) return settings.toleranceDateMs;
  return wait.strict ? settings.toleranceStrictMs : settings.toleranceSecondsMs;
}

function judgeGap(send: Send, askedMs: number, gapMs: number, sure: Doubtfulness, settings: Settings): Compliance {
  const toleranceMs = toleranceOf(send, settings);
  // A hedge or an overlap went out before the answer came: the whole wait was skipped (M16).
  const early = gapMs < 0 ? askedMs : askedMs - gapMs;
  const surelyEarly = early - sure.allowanceMs > toleranceMs;
  const surelyKept = early + sure.allowanceMs <= toleranceMs;
  if (!surelyEarly && (!surelyKept || sure.gapAtMost)) return 'not_judged';
  if (!surelyEarly) return 'honoured';
  // M2: asleep up to its own cap, which early means is shorter, then sent anyway. Strict codes know no cap.
  const capped = gapMs >= (send.attempt.policy?.retryAfterCapMs ?? Infinity) - toleranceMs;
  return capped && !send.verdict.wait.strict ? 'early_capped' : 'early';
}

/** The asked wait is longer than the client's cap or than what was left of its deadline. */
function waitsTooLong(send: Send, askedMs: number, timeline: Timeline, settings: Settings): boolean {
  const { policy } = send.attempt;
  if (policy?.retryAfterCapMs !== undefined && askedMs > policy.retryAfterCapMs) return true;
  const first = timeline.sends[0] ?? send;
  const deadlineMs = policy?.deadlineMs ?? totalDeadlineMs(timeline, settings) ?? Infinity;
  return askedMs > first.startAt + deadlineMs - send.refAt;
}

function withoutNext(send: Send, askedMs: number, timeline: Timeline, over: boolean, settings: Settings): Compliance {
  if (!over) return 'pending';
  return waitsTooLong(send, askedMs, timeline, settings) ? 'gave_up_wait_too_long' : 'no_retry_observed';
}

function nextOf(send: Send, timeline: Timeline): Next | null {
  const next = timeline.sends[send.index + 1];
  if (next) return { startAt: next.startAt, clock: next.clock };
  // A send that is under way has started: its start can be judged before its end is known.
  const flying = timeline.inFlight.find(({ fact }) => fact.startedAt >= send.startAt);
  return flying ? { startAt: flying.fact.startedAt, clock: flying.clock } : null;
}

function pairOf(send: Send, timeline: Timeline, over: boolean, settings: Settings): Pair {
  const { wait } = send.verdict;
  const next = nextOf(send, timeline);
  const askedMs = isAsked(wait) ? wait.delayMs : null;
  const gapMs = next ? next.startAt - send.refAt : null;
  // Written out, without copies: every send of every operation passes here.
  const pair: Pair = {
    attempt: send.attempt.attempt,
    attemptEventId: send.attempt.id,
    at: send.startAt,
    compliance: 'not_asked',
    askedMs,
    gapMs,
    earlyMs: 0,
    overMs: 0,
    strict: wait.strict,
    approx: false,
  };
  if (askedMs === null) {
    if (wait.issues.length > 0) pair.compliance = 'unusable_header';
  } else if (next === null || gapMs === null) {
    pair.compliance = withoutNext(send, askedMs, timeline, over, settings);
  } else {
    const sure = doubtfulnessOf(send, next, settings);
    pair.compliance = judgeGap(send, askedMs, gapMs, sure, settings);
    pair.earlyMs = gapMs < 0 ? askedMs : Math.max(0, askedMs - gapMs);
    pair.overMs = Math.max(0, gapMs - askedMs);
    pair.approx = sure.approx;
  }
  return pair;
}

/** @param over nothing more is expected: a missing next send is then a fact, not a wait */
export function pairSends(timeline: Timeline, over: boolean, settings: Settings): Pair[] {
  return timeline.sends.map((send) => pairOf(send, timeline, over, settings));
}
