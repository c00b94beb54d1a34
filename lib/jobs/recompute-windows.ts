import { readFacts } from '@/db/queries/settle';
import type { SettleProject } from '@/db/queries/settle-project';
import { listChainTops } from '@/db/queries/stream-chain';
import {
  listDeliveries,
  listFollowed,
  listLaneSlots,
  listSharedSlots,
  type PlaceSlot,
} from '@/db/queries/stream-preview';
import type { PreviewWindow } from '@/db/queries/recompute';
import type { Transaction } from '@/db/transaction';
import { toStreamSends } from '@/lib/core/checks/stream/build-stream';
import type { StreamFinding } from '@/lib/core/checks/stream/stream';
import { pinRuleSets } from '@/lib/core/rules/index';
import type { Judging } from '@/lib/core/settings-change';
import { DAY_SLOT_MS, LANE_GROUPS, LANE_SLOT_MS } from '@/lib/core/stream-places';
import { groupValueOf, windowsReached, type WindowGroup } from '@/lib/core/stream-windows';
import { buildTimeline } from '@/lib/core/timeline';
import { compareFindings, type WhatIfCounts } from '@/lib/core/what-if';
import { findInStoredWindow } from './stream-settle';
import { digestOf } from './stream-write';

/** What a preview says of checks across operations: their windows, computed under both settings. */

/** Places of one group that are looked at, and windows of all groups: the newest. */
const PLACES_MAX = 300;
export const PREVIEW_WINDOWS_MAX = 600;

interface Range {
  from: number;
  to: number;
}

/** The newest windows in which anything could be found. @returns one more than the most, where there are more */
export async function listPreviewWindows(
  sql: Transaction['sql'],
  project: SettleProject,
  range: Range,
): Promise<PreviewWindow[]> {
  const { id, settings } = project;
  const found = new Map<string, PreviewWindow>();
  const add = (group: WindowGroup, at: Range, place: Omit<PreviewWindow, 'group' | 'windowFrom'>): void => {
    for (const windowFrom of windowsReached(group, at.from, at.to, settings)) {
      found.set(`${group} ${place.digest} ${windowFrom}`, { group, windowFrom, ...place });
    }
  };
  const addSlots = (group: WindowGroup, slotMs: number, slots: readonly PlaceSlot[]): void => {
    for (const { digest, slot, operationId } of slots) {
      add(group, { from: slot, to: slot + slotMs }, { digest, value: null, operationId });
    }
  };
  for (const group of LANE_GROUPS) {
    addSlots(group, LANE_SLOT_MS, await listLaneSlots(sql, id, group, range, PLACES_MAX));
  }
  for (const stream of ['key', 'fingerprint'] as const) {
    addSlots(stream, DAY_SLOT_MS, await listSharedSlots(sql, id, stream, range, PLACES_MAX));
  }
  for (const { value, at } of await listDeliveries(sql, id, range, PLACES_MAX)) {
    add('job', { from: at, to: at + 1 }, { digest: digestOf(value), value, operationId: null });
  }
  const tops = await listChainTops(sql, id, await listFollowed(sql, id, range, PLACES_MAX));
  for (const { top } of tops)
    add('chain', { from: 0, to: 1 }, { digest: digestOf(top), value: top, operationId: null });
  const newest = [...found.values()].sort((a, b) => b.windowFrom - a.windowFrom || (a.group < b.group ? -1 : 1));
  return newest.slice(0, PREVIEW_WINDOWS_MAX + 1);
}

/** What a window's operations share; a place keeps only its digest. Null when its operation has moved elsewhere. */
async function valueOf(sql: Transaction['sql'], project: SettleProject, window: PreviewWindow): Promise<string | null> {
  const { group, value, digest, operationId } = window;
  if (value !== null || operationId === null) return value;
  const { facts } = await readFacts(sql, project.id, [operationId]);
  const { settings, profiles } = project;
  const context = { asOf: 0, settings, profiles, ruleSets: pinRuleSets(project.ruleSets) };
  const { sends } = buildTimeline({ operationId, facts: facts.get(operationId) ?? [] }, context);
  const values = toStreamSends(sends).map((send) => groupValueOf(group as WindowGroup, send));
  return values.find((text) => text !== undefined && digestOf(text) === digest) ?? null;
}

/** Adds what one window's checks find under the rules of now and under the wished ones. */
export async function compareWindow(
  sql: Transaction['sql'],
  project: SettleProject,
  wished: Judging,
  window: PreviewWindow,
  counts: WhatIfCounts,
): Promise<void> {
  const value = await valueOf(sql, project, window);
  if (value === null) return;
  const due = { group: window.group, digest: window.digest, windowFrom: window.windowFrom, value };
  const before = await findInStoredWindow(sql, project, due);
  const after = await findInStoredWindow(sql, { ...project, ...wished }, due);
  compareFindings(counts, before, after, keyOf);
}

function keyOf({ check, attempt, severity, operationId, subject }: StreamFinding): string {
  return JSON.stringify([check, attempt ?? null, severity, operationId ?? null, subject.value]);
}
