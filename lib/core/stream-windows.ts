import { findWith, STREAM_CHECKS } from './checks/stream/index';
import type { StreamCheck, StreamFinding, StreamInput, StreamSend, StreamWindow } from './checks/stream/stream';
import type { Settings } from './operation';
import { DAY_SLOT_MS, LANE_SLOT_MS, laneValueOf, PLACE_FLAG, slotOf, type LaneGroup } from './stream-places';

/**
 * Fixed windows of event time by which the checks across operations are run on stored facts. A window belongs to one
 * value of one group; what it finds is a pure function of the facts in its reach, so that the order in which facts
 * came never shows.
 */

export const WINDOW_GROUPS = [
  'scope',
  'portal',
  'target',
  'credential',
  'service',
  'key',
  'fingerprint',
  'job',
  'chain',
] as const;
export type WindowGroup = (typeof WINDOW_GROUPS)[number];

interface GroupRule {
  windowMs: number;
  /** Flags of a place that can set something off; 0 where two operations at one place can. */
  flags: number;
}

const { failed, retried, refused, paused, unclear } = PLACE_FLAG;
const HOUR_MS = 4 * LANE_SLOT_MS;

export const GROUP_RULES: Readonly<Record<WindowGroup, GroupRule>> = {
  scope: { windowMs: LANE_SLOT_MS, flags: failed | paused },
  portal: { windowMs: LANE_SLOT_MS, flags: paused },
  target: { windowMs: LANE_SLOT_MS, flags: retried | paused },
  credential: { windowMs: LANE_SLOT_MS, flags: refused | paused },
  service: { windowMs: HOUR_MS, flags: retried },
  key: { windowMs: DAY_SLOT_MS, flags: 0 },
  fingerprint: { windowMs: DAY_SLOT_MS, flags: unclear },
  job: { windowMs: DAY_SLOT_MS, flags: 0 },
  chain: { windowMs: 0, flags: 0 },
};

export function isLaneGroup(group: WindowGroup): group is LaneGroup {
  return group === 'scope' || group === 'portal' || group === 'target' || group === 'credential' || group === 'service';
}

/** What a send shares with the others of the group; undefined where it is in none. A chain isn't told by one send. */
export function groupValueOf(group: WindowGroup, send: StreamSend): string | undefined {
  if (isLaneGroup(group)) return laneValueOf(group, send);
  switch (group) {
    case 'key':
      return send.keyHash || undefined;
    case 'fingerprint':
      return send.fingerprint;
    case 'job':
      return send.jobId;
    case 'chain':
      return undefined;
  }
}

/** A check in windows of one group; `keep` where it looks at several groups at once and only some are whole there. */
interface Part {
  check: StreamCheck;
  keep: (finding: StreamFinding) => boolean;
}

/** M3: a pause holds for a scope (or, by a setting, a host), a portal's method, or a credential. */
function pauseWord(group: WindowGroup, settings: Settings): string | null {
  const byTarget = settings.quarantineByTargetSwitch >= 1;
  if (group === (byTarget ? 'target' : 'scope')) return 'scope';
  if (group === 'portal') return 'call';
  return group === 'credential' ? 'credential' : null;
}

/** Word of a check's evidence that a group sees whole; null where it sees nothing of the check whole. */
function wordOf({ check, groupBy }: StreamCheck, group: WindowGroup, settings: Settings): [string, unknown] | null {
  switch (check) {
    case 'pause_broken_by_others': {
      const word = pauseWord(group, settings);
      return word === null ? null : ['scope', word];
    }
    case 'duplicate_suspected':
      if (group === 'fingerprint') return ['by', 'request'];
      return group === 'key' ? ['by', 'key'] : null;
    case 'amplification':
      // A service's load is counted in rollups: its sends would be too many to look at.
      return group === 'chain' ? ['kind', 'nested'] : null;
    default:
      return group === groupBy ? ['', undefined] : null;
  }
}

function partsOf(group: WindowGroup, settings: Settings): Part[] {
  return STREAM_CHECKS.flatMap((check): Part[] => {
    const word = wordOf(check, group, settings);
    if (word === null) return [];
    const [name, value] = word;
    return [{ check, keep: ({ evidence }) => name === '' || evidence[name] === value }];
  });
}

/** How far before and after a window of the group its checks look, ms. */
export function reachOf(group: WindowGroup, settings: Settings): { backMs: number; aheadMs: number } {
  const checks = partsOf(group, settings).map(({ check }) => check);
  return {
    backMs: checks.reduce((most, check) => Math.max(most, check.lookBackMs(settings)), 0),
    aheadMs: checks.reduce((most, check) => Math.max(most, check.lookAheadMs(settings)), 0),
  };
}

/** Starts of the windows of a group that what happened in [from, to) bears on. */
export function windowsReached(group: WindowGroup, from: number, to: number, settings: Settings): number[] {
  if (group === 'chain') return [0];
  const reach = reachOf(group, settings);
  const { windowMs } = GROUP_RULES[group];
  const windows: number[] = [];
  // A window sees what lies in [start - back, start + length + ahead).
  let start = slotOf(from - reach.aheadMs - windowMs, windowMs) + windowMs;
  const backMs = group === 'service' ? Math.max(reach.backMs, settings.amplificationBaselineMs) : reach.backMs;
  for (; start - backMs < to; start += windowMs) windows.push(start);
  return windows;
}

/** A window of a group by its start. */
export function windowAt(group: WindowGroup, from: number): StreamWindow {
  return { from, to: from + GROUP_RULES[group].windowMs };
}

/** A chain's only window is the time its sends take. */
function chainWindow(sends: readonly StreamSend[]): StreamWindow {
  const from = sends.reduce((least, { startAt }) => Math.min(least, startAt), Infinity);
  const to = sends.reduce((most, { startAt }) => Math.max(most, startAt + 1), -Infinity);
  return from < to ? { from, to } : { from: 0, to: 0 };
}

/**
 * What the checks of a group find in one of its windows.
 * @param input `sends` of any value; those of others are left out, as is what lies out of reach
 */
export function findInWindow(group: WindowGroup, value: string, input: Omit<StreamInput, 'seenFrom'>): StreamFinding[] {
  const { settings } = input;
  const parts = partsOf(group, settings);
  if (group === 'chain') return findWithin(parts, { ...input, window: chainWindow(input.sends) });
  const { window } = input;
  const reach = reachOf(group, settings);
  const seenFrom = window.from - reach.backMs;
  // Between few operations whole stories count, however far they reach.
  const whole = !isLaneGroup(group);
  const sends = input.sends.filter((send) => {
    const near = send.startAt >= seenFrom && send.startAt < window.to + reach.aheadMs;
    return (near || whole) && groupValueOf(group, send) === value;
  });
  // Nobody knows here what began before the reach.
  return findWithin(parts, { ...input, sends, seenFrom, heldMs: reach.backMs });
}

function findWithin(parts: readonly Part[], input: StreamInput): StreamFinding[] {
  return parts.flatMap(({ check, keep }) => findWith(check, input).filter(keep));
}

/** Slots of places that a window's checks look at: half-open, by the slots' starts, epoch ms. */
export function slotsOf(group: WindowGroup, windowFrom: number, settings: Settings): { from: number; to: number } {
  const { backMs, aheadMs } = reachOf(group, settings);
  const slotMs = isLaneGroup(group) ? LANE_SLOT_MS : DAY_SLOT_MS;
  return { from: slotOf(windowFrom - backMs, slotMs), to: windowFrom + GROUP_RULES[group].windowMs + aheadMs };
}
