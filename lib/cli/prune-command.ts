import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { listProjectSlugs } from '@/db/queries/settle-project';
import type { PruneContext, Pruned } from '@/lib/jobs/prune';
import { ANNOUNCE_MS, previewRetention, runRetention, type RetentionOutcome } from '@/lib/jobs/retention';
import { systemClock } from '@/lib/platform/clock';
import { createLog } from '@/lib/platform/log';
import { CommandFailure, EXIT } from './command-failure';
import { findProject } from './manage-commands';
import type { Terminal } from './terminal';
import { withDatabase } from './with-database';

export interface PruneOptions {
  /** Name or address; all projects without it. */
  project?: string;
  /** Count only. */
  dryRun?: boolean;
}

/**
 * Removes what projects keep no longer, as the worker does every minute; beside it, or without one. Ctrl-C stops
 * between two small transactions; the next run goes on.
 */
export async function pruneCommand(terminal: Terminal, options: PruneOptions): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    await withDatabase((db) => prune(db, terminal, options, stopping.signal), { signals: 'left to the command' });
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

async function prune(db: Database, terminal: Terminal, options: PruneOptions, signal: AbortSignal): Promise<void> {
  const only = options.project === undefined ? undefined : (await findProject(db, options.project)).project.id;
  const slugs = await listProjectSlugs(db.sql);
  const context = (): PruneContext => ({
    db,
    log: createLog('warn', { part: 'command' }),
    now: systemClock(),
    signal,
  });
  if (options.dryRun === true) {
    await count(terminal, context(), slugs, only);
    return;
  }
  // What the first run announces may only go once every process refuses it.
  const first = await runRetention(context(), only);
  const waitMs = Math.max(0, ...first.projects.map(({ mark }) => mark.announcedAt + ANNOUNCE_MS - systemClock()));
  const fresh = first.projects.some(({ mark }) => mark.removeBefore === null);
  if (fresh && !signal.aborted) {
    terminal.note(`Waiting ${Math.ceil(waitMs / 1_000)} s, until every process refuses what is about to go.`);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
  const again = fresh && !signal.aborted ? await runRetention(context(), only) : null;
  report(terminal, slugs, again ? join(first, again) : first);
  if (signal.aborted) throw new CommandFailure('cancelled', 'Stopped; the next run goes on.', EXIT.cancelled);
}

function join(first: RetentionOutcome, again: RetentionOutcome): RetentionOutcome {
  const projects = again.projects.map((one) => {
    const earlier = first.projects.find(({ projectId }) => projectId === one.projectId)?.pruned;
    return earlier ? { ...one, pruned: add(earlier, one.pruned) } : one;
  });
  return { projects, days: [...first.days, ...again.days], keptDays: again.keptDays };
}

function add(a: Pruned, b: Pruned): Pruned {
  return {
    attempts: a.attempts + b.attempts,
    facts: a.facts + b.facts,
    ids: a.ids + b.ids,
    operations: a.operations + b.operations,
    findings: a.findings + b.findings,
    rollups: a.rollups + b.rollups,
  };
}

function report(
  terminal: Terminal,
  slugs: ReadonlyMap<number, string>,
  { projects, days, keptDays }: RetentionOutcome,
): void {
  const rows = projects.map(({ projectId, mark, pruned }) => ({
    project: slugs.get(projectId) ?? String(projectId),
    removedBefore: mark.removeBefore === null ? null : new Date(mark.removeBefore).toISOString(),
    ...pruned,
  }));
  const lines = rows.map(({ project, removedBefore, attempts, facts, operations, findings, rollups }) => {
    const before = removedBefore === null ? 'nothing removable yet' : `before ${removedBefore}`;
    return `${project}: ${before}: ${attempts} attempts, ${facts} other facts, ${operations} operations, ${findings} findings, ${rollups} rollup rows removed`;
  });
  if (days.length > 0) lines.push(`dropped whole: ${days.join(', ')}`);
  if (keptDays.length > 0) lines.push(`kept, because something in them is still needed: ${keptDays.join(', ')}`);
  terminal.result({ dryRun: false, projects: rows, days, keptDays }, lines.join('\n'));
}

async function count(
  terminal: Terminal,
  context: PruneContext,
  slugs: ReadonlyMap<number, string>,
  only: number | undefined,
): Promise<void> {
  const rows = [];
  for (const [projectId, project] of slugs) {
    if (only !== undefined && projectId !== only) continue;
    const preview = await previewRetention(context, projectId);
    if (preview) rows.push({ project, ...preview, before: new Date(preview.before).toISOString() });
  }
  const lines = rows.map(({ project, before, attempts, facts, operations, findings }) => {
    return `${project}: older than ${before}: ${attempts} attempts, ${facts} other facts, ${operations} operations, ${findings} findings would go`;
  });
  terminal.result({ dryRun: true, projects: rows }, lines.join('\n'));
}
