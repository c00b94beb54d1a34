import type postgres from 'postgres';
import {
  deleteMembers,
  listSharedPlaces,
  readMembers,
  recordLanes,
  touchFoundWindows,
  touchLaneWindows,
  touchNamedWindows,
  touchWindows,
  upsertMembers,
  type LaneRow,
  type MemberRow,
  type WindowMark,
} from '@/db/queries/stream';
import { listChainTops, listChildren } from '@/db/queries/stream-chain';
import type { Settings } from '@/lib/core/operation';
import { DAY_SLOT_MS, LANE_GROUPS, LANE_SLOT_MS, type Lane, type StreamPlaces } from '@/lib/core/stream-places';
import { GROUP_RULES, slotsOf, windowsReached, type WindowGroup } from '@/lib/core/stream-windows';
import { hash64 } from '@/lib/platform/hash';

/** Keeps where settled operations meet others, and marks the windows that their news bears on. */

/** Between news and a window's computation, so that what arrives together is looked at once. */
const GATHER_MS = 2_000;

const CHILDREN_MAX = 2_000;

export interface PlacedOperation {
  operationId: string;
  places: StreamPlaces;
}

/** Digests that were asked for lately: the same few names come again and again. */
const known = new Map<string, string>();
const KNOWN_MAX = 20_000;

export function digestOf(value: string): string {
  const found = known.get(value);
  if (found !== undefined) return found;
  const digest = hash64(value).toString();
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(value, digest);
  return digest;
}

function digestOrNull(value: string | null): string | null {
  return value === null ? null : digestOf(value);
}

function laneRow(lane: Lane): LaneRow {
  const digests = {
    scope: digestOrNull(lane.scope),
    portal: digestOrNull(lane.portal),
    target: digestOrNull(lane.target),
    credential: digestOrNull(lane.credential),
    service: digestOrNull(lane.service),
  };
  return { id: digestOf(JSON.stringify(LANE_GROUPS.map((group) => lane[group]))), ...digests };
}

/** Names a window wherever it is spoken of. */
export function streamKeyOf(group: WindowGroup, digest: string, windowFrom: number): string {
  return `${group} ${digest} ${windowFrom / 60_000}`;
}

function membersOf({ operationId, places }: PlacedOperation): MemberRow[] {
  return [
    ...places.lanes.map(({ lane, slot, flags }) => {
      return { operationId, stream: 'lane', value: laneRow(lane).id, slot, flags };
    }),
    ...places.named
      .filter(({ listed }) => listed)
      .map(({ stream, value, slot, flags }) => ({ operationId, stream, value: digestOf(value), slot, flags })),
  ];
}

function memberKey({ operationId, stream, value, slot }: MemberRow): string {
  return JSON.stringify([operationId, stream, value, slot]);
}

async function writeMembers(tx: postgres.ISql, projectId: number, placed: readonly PlacedOperation[]): Promise<void> {
  const stored = await readMembers(
    tx,
    projectId,
    placed.map(({ operationId }) => operationId),
  );
  const lanes = new Map<string, LaneRow>();
  for (const { lane } of placed.flatMap(({ places }) => places.lanes)) {
    const row = laneRow(lane);
    lanes.set(row.id, row);
  }
  const wanted = new Map(placed.flatMap(membersOf).map((row) => [memberKey(row), row]));
  const had = new Map(stored.map((row) => [memberKey(row), row]));
  await deleteMembers(
    tx,
    projectId,
    stored.filter((row) => !wanted.has(memberKey(row))),
  );
  const fresh = [...wanted].filter(([key, row]) => had.get(key)?.flags !== row.flags).map(([, row]) => row);
  if (fresh.length > 0) await recordLanes(tx, projectId, [...lanes.values()]);
  await upsertMembers(tx, projectId, fresh);
}

/** Something that happened in [from, to) among what shares a value. */
interface Place {
  value: string;
  from: number;
  to: number;
  operationId: string | null;
}

/** The windows that some places bear on, each once for every operation named. */
function marksOf(group: WindowGroup, places: readonly Place[], settings: Settings): WindowMark[] {
  const marks = new Map<string, WindowMark>();
  for (const { value, from, to, operationId } of places) {
    const digest = digestOf(value);
    for (const windowFrom of windowsReached(group, from, to, settings)) {
      const streamKey = streamKeyOf(group, digest, windowFrom);
      const span = slotsOf(group, windowFrom, settings);
      marks.set(`${streamKey} ${operationId ?? ''}`, { value, digest, windowFrom, streamKey, ...span, operationId });
    }
  }
  return [...marks.values()];
}

/** Marks the windows of operations whose places or sends are new. */
async function markWindows(
  tx: postgres.ISql,
  project: StreamProject,
  placed: readonly PlacedOperation[],
  dueAt: number,
): Promise<void> {
  const { id, settings } = project;
  for (const group of LANE_GROUPS) {
    const places = placed.flatMap(({ places: { lanes } }) =>
      lanes.flatMap(({ lane, slot }): Place[] => {
        const value = lane[group];
        return value === null ? [] : [{ value, from: slot, to: slot + LANE_SLOT_MS, operationId: null }];
      }),
    );
    const { flags } = GROUP_RULES[group];
    await touchLaneWindows(tx, id, group, marksOf(group, places, settings), { flags, dueAt });
  }
  const named = placed.flatMap(({ operationId, places: { named: own } }) =>
    own
      .filter(({ stream }) => stream !== 'cause')
      .map(({ stream, value, slot }) => ({ stream, value, slot, digest: digestOf(value), operationId })),
  );
  const shared = await listSharedPlaces(tx, id, named);
  for (const group of ['key', 'fingerprint'] as const) {
    const places = shared.flatMap(({ stream, value, slot, operationId }): Place[] =>
      stream === group ? [{ value, from: slot, to: slot + DAY_SLOT_MS, operationId }] : [],
    );
    const { flags } = GROUP_RULES[group];
    await touchNamedWindows(tx, id, group, marksOf(group, places, settings), { flags, dueAt });
  }
}

export interface StreamProject {
  id: number;
  settings: Settings;
}

/**
 * Brings places to what was concluded and marks every window that the operations bear on, in settling's transaction.
 * A place that an operation left is marked by the finding that its window has, if it has one.
 */
export async function writePlaces(
  tx: postgres.ISql,
  project: StreamProject,
  placed: readonly PlacedOperation[],
  now: number,
): Promise<void> {
  if (placed.length === 0) return;
  await writeMembers(tx, project.id, placed);
  await markWindows(tx, project, placed, now + GATHER_MS);
  const operationIds = placed.map(({ operationId }) => operationId);
  await markChains(tx, project, operationIds, now + GATHER_MS);
}

/** Marks the chains that operations are part of, and what was found while one of them was still a chain's first. */
async function markChains(
  tx: postgres.ISql,
  { id, settings }: StreamProject,
  operationIds: readonly string[],
  dueAt: number,
): Promise<void> {
  const chained = await listChainTops(tx, id, operationIds);
  if (chained.length === 0) return;
  const own = chained.map(({ operationId }) => operationId);
  const below = await listChildren(tx, id, own, CHILDREN_MAX);
  const placesAt = (values: readonly string[]): Place[] =>
    values.map((value) => ({ value, from: 0, to: 1, operationId: null }));
  const tops = [...new Set(chained.map(({ top }) => top))];
  await touchWindows(tx, id, 'chain', marksOf('chain', placesAt(tops), settings), dueAt);
  await touchFoundWindows(tx, id, 'chain', marksOf('chain', placesAt([...own, ...below]), settings), dueAt);
}

interface FactPlace {
  value: string;
  /** Epoch ms. */
  at: number;
}

function marksOfFacts(group: WindowGroup, places: readonly FactPlace[], settings: Settings): WindowMark[] {
  const spans = places.map(({ value, at }) => ({ value, from: at, to: at + 1, operationId: null }));
  return marksOf(group, spans, settings);
}

/** Marks windows that facts bear on by themselves: a credential's renewals, a job's deliveries. */
export async function markFacts(
  tx: postgres.ISql,
  { id, settings }: StreamProject,
  group: 'credential' | 'job',
  places: readonly FactPlace[],
  now: number,
): Promise<void> {
  await touchWindows(tx, id, group, marksOfFacts(group, places, settings), now + GATHER_MS);
}

/** Marks windows whose load tallies belong to, where anything was retried. */
export async function markServices(
  tx: postgres.ISql,
  { id, settings }: StreamProject,
  places: readonly FactPlace[],
  now: number,
): Promise<void> {
  const { flags } = GROUP_RULES.service;
  const marks = marksOfFacts('service', places, settings);
  await touchLaneWindows(tx, id, 'service', marks, { flags, dueAt: now + GATHER_MS });
}
