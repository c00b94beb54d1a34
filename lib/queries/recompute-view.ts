import type { Profile } from '../core/attempt';
import type { OperationState, Settings } from '../core/operation';
import type { PinnedNames, ProfileRules } from '../core/project';
import type { SettingsChange } from '../core/settings-change';
import type { Action } from '../core/verdict';

/** Read models of a project's settings, of a what-if and of a recomputation. Instants are epoch ms. */

/** Everything of a project that conclusions depend on (`getProjectSettings`; GET and POST /api/v1/settings). */
export interface ProjectSettingsView {
  /** Goes with a change; a stale one is refused. */
  version: number;
  /** What holds now, every key; bounds are `SETTING_BOUNDS` of lib/core/setting-bounds.ts. */
  settings: Settings;
  defaults: Settings;
  targets: ProfileRules['targets'];
  defaultProfile: Profile;
  /** Pinned editions by name; an absent profile follows its current edition. */
  ruleSets: PinnedNames;
  /** Null while nothing was ever changed. */
  changedAt: number | null;
  changedBy: string | null;
}

/** What would move, or moved, counted over the operations that were looked at. */
export interface WhatIfResultView {
  /** Operations looked at, newest first, and operations of the range. */
  operations: number;
  total: number;
  /** The range held more than one preview looks at. */
  cut: boolean;
  /** Windows of event time in which checks across operations were run. */
  windows: number;
  /** Attempts by action before and after, only where it changes; most first. */
  verdictsChanged: { from: Action; to: Action; count: number }[];
  findings: { check: string; added: number; removed: number }[];
  /** Items that would newly wait for a person, and that would be closed. */
  reviewItems: { opened: number; closed: number };
  /** Operations by state before and after, only where it changes; most first. */
  states: { from: OperationState; to: OperationState; count: number }[];
  /** Waits judged otherwise than before. */
  pairsChanged: number;
}

/** What a recomputation did. */
export interface RecomputeResultView {
  operations: number;
  /** Attempts and tallies that count under another code, kind or profile, or another edition, than before. */
  attemptsMoved: number;
  talliesMoved: number;
  /** Operations that could not be concluded; they are tried again by settling. */
  failed: number;
}

export const RECOMPUTE_STATES = ['queued', 'running', 'done', 'cancelled', 'failed'] as const;
export type RecomputeState = (typeof RECOMPUTE_STATES)[number];

interface JobView {
  id: string;
  state: RecomputeState;
  /** Operations done, of how many; `total` is 0 until they are counted. */
  done: number;
  total: number;
  /** Half-open, by the operation's first attempt. */
  from: number;
  to: number;
  requestedBy: string;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** One plain sentence when it failed. */
  error: string | null;
}

/** A background job over stored operations: `preview` stores nothing but its result, `apply` the conclusions. */
export type RecomputeJobView =
  | (JobView & { mode: 'preview'; change: SettingsChange; result: WhatIfResultView | null })
  | (JobView & { mode: 'apply'; change: null; result: RecomputeResultView | null });
