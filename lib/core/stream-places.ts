import { toStreamSends } from './checks/stream/build-stream';
import { scopeKeyOf, type StreamSend } from './checks/stream/stream';
import { keysRelied, type KeyUse } from './key-use';
import type { JudgedAttempt } from './operation';
import { findRepairChances } from './repair-chance';

/**
 * Where an operation's sends meet other operations' sends: on a scope, a portal, a target, a credential and a service
 * (together a lane), under a key, with a fingerprint. A place is a slot of event time, so that the operations of any
 * window are found by it.
 */

const MINUTE_MS = 60_000;

/** Slots of lanes, and of what looks a day back. */
export const LANE_SLOT_MS = 15 * MINUTE_MS;
export const DAY_SLOT_MS = 1_440 * MINUTE_MS;

/**
 * What a place's sends can set off; a plain success sets off nothing and is only looked at. `distrusted` is of a key
 * that is known to have been used for another request: no further use of it changes anything for this operation.
 */
export const PLACE_FLAG = { failed: 1, retried: 2, refused: 4, paused: 8, unclear: 16, distrusted: 32 } as const;

export const LANE_GROUPS = ['scope', 'portal', 'target', 'credential', 'service'] as const;
export type LaneGroup = (typeof LANE_GROUPS)[number];
export type Lane = Readonly<Record<LaneGroup, string | null>>;

export type NamedStream = 'key' | 'fingerprint' | 'cause';

export interface LanePlace {
  lane: Lane;
  slot: number;
  flags: number;
}

export interface NamedPlace {
  stream: NamedStream;
  value: string;
  slot: number;
  flags: number;
  /** False where it only bears on what is there: by another rule set it may have been a write. */
  listed: boolean;
}

export interface StreamPlaces {
  lanes: LanePlace[];
  named: NamedPlace[];
}

/** Rules whose wait holds for other operations too (M3). */
const PAUSE_RULES: ReadonlySet<string> = new Set(['TIMEOUT_QUARANTINE', 'OPERATION_TIME_LIMIT', 'CALLER_RATE_LIMITED']);

/** What a send shares with the others of its group; undefined where it is in none. */
export function laneValueOf(group: LaneGroup, send: StreamSend): string | undefined {
  switch (group) {
    case 'scope':
      return scopeKeyOf(send) ?? send.service;
    case 'portal':
      return send.scope ?? send.target;
    case 'target':
      return send.target ?? send.scope ?? send.call;
    case 'credential':
      return send.credential;
    case 'service':
      return send.service;
  }
}

export function slotOf(at: number, slotMs: number): number {
  return Math.floor(at / slotMs) * slotMs;
}

function flagsOf(send: StreamSend): number {
  const { failed, retried, refused, paused, unclear } = PLACE_FLAG;
  const again = send.previous !== null || send.attempt > 1;
  // A second DELETE that is told to be done is no failure, and asks where the first one is (M21).
  const plain = send.action === 'none' && send.rule !== 'AGENT_WRITE_ALREADY_EXECUTED';
  return (
    (plain ? 0 : failed) |
    (again ? retried : 0) |
    (send.authRefused ? refused : 0) |
    (send.askedMs !== null && PAUSE_RULES.has(send.rule) ? paused : 0) |
    (send.kind === 'write' && send.effect === 'possible' ? unclear : 0)
  );
}

function laneOf(send: StreamSend): Lane {
  const value = (group: LaneGroup): string | null => laneValueOf(group, send) ?? null;
  return {
    scope: value('scope'),
    portal: value('portal'),
    target: value('target'),
    credential: value('credential'),
    service: value('service'),
  };
}

/** Adds a place, or its flags to the one of the same key. */
function put<T extends { flags: number }>(places: Map<string, T>, key: readonly unknown[], place: T): void {
  const text = JSON.stringify(key);
  const known = places.get(text);
  if (known) known.flags |= place.flags;
  else places.set(text, place);
}

/** What an operation did with idempotency keys, announced sends included. */
export interface PlacedKeys {
  uses: readonly KeyUse[];
  /** Hashes of keys that it can't trust. */
  spoilt: readonly string[];
}

/**
 * Marks an operation that used a key again as hanging on it in every slot, and whether it still trusts it, so that
 * the next user of the key finds it.
 */
function markRelied(named: Iterable<NamedPlace>, { uses, spoilt }: PlacedKeys): void {
  const relied = keysRelied(uses);
  if (relied.size === 0) return;
  for (const place of named) {
    if (place.stream !== 'key' || !relied.has(place.value)) continue;
    place.flags |= PLACE_FLAG.retried | (spoilt.includes(place.value) ? PLACE_FLAG.distrusted : 0);
  }
}

/** @param judged the sends of one operation in timeline order */
export function placesOf(judged: readonly JudgedAttempt[], keys: PlacedKeys = { uses: [], spoilt: [] }): StreamPlaces {
  const lanes = new Map<string, LanePlace>();
  const named = new Map<string, NamedPlace>();
  const name = (stream: NamedStream, value: string | undefined, at: number, flags: number, listed = true): void => {
    if (value === undefined || value === '') return;
    const slot = slotOf(at, DAY_SLOT_MS);
    put(named, [stream, value, slot, listed], { stream, value, slot, flags, listed });
  };
  for (const send of toStreamSends(judged)) {
    const [lane, slot, flags] = [laneOf(send), slotOf(send.startAt, LANE_SLOT_MS), flagsOf(send)];
    put(lanes, [lane, slot], { lane, slot, flags });
    name('key', send.keyHash, send.startAt, flags);
    name('fingerprint', send.fingerprint, send.startAt, flags, send.kind === 'write');
  }
  for (const { keyHash, startedAt } of keys.uses) name('key', keyHash, startedAt, 0);
  markRelied(named.values(), keys);
  for (const { names, from } of findRepairChances(judged)) {
    for (const code of names) name('cause', code, from, PLACE_FLAG.failed);
  }
  return { lanes: [...lanes.values()], named: [...named.values()] };
}
