import {
  deleteFindings,
  insertFindings,
  linkFindings,
  readWindowFindingIds,
  unlinkFindings,
  type FindingRow,
} from '@/db/queries/finding';
import { takeTurn } from '@/db/queries/settle';
import { readSettleProject, type SettleProject } from '@/db/queries/settle-project';
import {
  deleteWindowTouch,
  listDueWindows,
  postponeWindow,
  readServiceLoad,
  type DueWindow,
} from '@/db/queries/stream';
import { inTransaction, type Transaction } from '@/db/transaction';
import { judgeLoad } from '@/lib/core/checks/stream/amplification';
import { byStartAt, operationIdsOf, type StreamFinding } from '@/lib/core/checks/stream/stream';
import { slotOf } from '@/lib/core/stream-places';
import { findInWindow, slotsOf, windowAt, WINDOW_GROUPS, type WindowGroup } from '@/lib/core/stream-windows';
import type { SettleContext } from './settle';
import { identifyFindings } from './settle-findings';
import { gatherWindow, type Gathered } from './stream-gather';
import { streamKeyOf } from './stream-write';

/** Computes the findings of marked windows and brings stored ones to them. */

/** Windows of one call at most. */
const WINDOWS_MAX = 100;
const MINUTE_MS = 60_000;
/** A turn with windows lasts so long, and one window more, at most. */
const TURN_MS = 250;
/** A window that can't be computed is tried again so much later. */
const RETRY_AFTER_MS = 60_000;

export interface StreamOutcome {
  computed: number;
  failed: number;
  /** More windows may be due. */
  more: boolean;
}

function groupOf(window: DueWindow): WindowGroup {
  const group = WINDOW_GROUPS.find((word) => word === window.group);
  if (group === undefined) throw new Error(`no such stream: ${window.group}`);
  return group;
}

/**
 * Findings across operations of the windows that are due at `now`. Each is a pure function of the facts in its reach
 * and replaces what was stored, so that running it again, later or after a kill ends in the same rows.
 */
export async function settleStreams(
  context: SettleContext,
  projectId: number,
  limit = WINDOWS_MAX,
): Promise<StreamOutcome> {
  const windows = await listDueWindows(context.db.sql, projectId, context.now, limit);
  if (windows.length === 0) return { computed: 0, failed: 0, more: false };
  try {
    const computed = await inTransaction(context.db, (tx) => settleTogether(tx, projectId, windows));
    return { computed, failed: 0, more: computed > 0 && (computed < windows.length || windows.length === limit) };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return await settleSingly(context, projectId, windows);
  }
}

/** The data, not the connection or a lock, is at fault. */
function isRefused(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code !== 'string' || /^2[23]/.test(code);
}

/**
 * Windows in one transaction for as long as a turn may last.
 * @returns how many were computed: none when another settler has the turn
 */
async function settleTogether(tx: Transaction, projectId: number, windows: readonly DueWindow[]): Promise<number> {
  if (!(await takeTurn(tx.sql, projectId))) return 0;
  const project = await readSettleProject(tx.sql, projectId);
  if (!project) return 0;
  const since = performance.now();
  let computed = 0;
  for (const window of windows) {
    await settleWindow(tx, project, window);
    computed += 1;
    if (performance.now() - since > TURN_MS) break;
  }
  return computed;
}

/** The same windows, each in a transaction of its own, so that one the database refuses holds up no other. */
async function settleSingly(
  context: SettleContext,
  projectId: number,
  windows: readonly DueWindow[],
): Promise<StreamOutcome> {
  const outcome: StreamOutcome = { computed: 0, failed: 0, more: true };
  for (const window of windows) {
    try {
      outcome.computed += await inTransaction(context.db, (tx) => settleTogether(tx, projectId, [window]));
    } catch (error) {
      if (!isRefused(error)) throw error;
      outcome.failed += 1;
      context.log.error({ err: error, projectId, window }, 'window not computed; tried again later');
      await postponeWindow(context.db.sql, projectId, window, context.now + RETRY_AFTER_MS);
    }
  }
  return outcome;
}

async function settleWindow({ sql }: Transaction, project: SettleProject, window: DueWindow): Promise<void> {
  const projectId = project.id;
  const group = groupOf(window);
  // Retention has taken facts from its reach: what was found with all of them stays.
  const frozen = group !== 'chain' && slotsOf(group, window.windowFrom, project.settings).from < project.keptFrom;
  if (frozen) return await deleteWindowTouch(sql, projectId, window);
  const gathered = await gatherWindow(sql, project, group, window);
  const found = await findGathered(sql, project, group, window, gathered);
  const streamKey = streamKeyOf(group, window.digest, window.windowFrom);
  const rows = identifyFindings(
    streamKey,
    found.map((finding) => rowOf(finding, streamKey, gathered)),
  );
  const wanted = new Map(rows.map((row) => [row.id, row]));
  const had = await readWindowFindingIds(sql, projectId, streamKey);
  const gone = had.filter((id) => !wanted.has(id));
  const fresh = rows.filter(({ id }) => !had.includes(id));
  await unlinkFindings(sql, projectId, gone);
  await deleteFindings(sql, projectId, gone);
  await insertFindings(sql, projectId, fresh);
  await linkFindings(sql, projectId, fresh.flatMap(linksOf));
  await deleteWindowTouch(sql, projectId, window);
}

/** What is charged to nobody speaks of a service, a target or a credential: no single operation's page shows it. */
function linksOf({ id, operationId, evidence }: FindingRow): { findingId: string; operationId: string }[] {
  if (operationId === null) return [];
  const named: readonly unknown[] = Array.isArray(evidence.operationIds) ? evidence.operationIds : [];
  const ids = [operationId, ...named].filter((value): value is string => typeof value === 'string');
  return [...new Set(ids)].sort().map((one) => ({ findingId: id, operationId: one }));
}

/** M17: a service's attempts per operation against the time before, counted in rollups however many there were. */
async function findLoad(
  sql: Transaction['sql'],
  { id, settings }: SettleProject,
  due: DueWindow,
  { sends }: Gathered,
): Promise<StreamFinding[]> {
  const window = windowAt('service', due.windowFrom);
  const from = slotOf(window.from - settings.amplificationBaselineMs, MINUTE_MS);
  const now = await readServiceLoad(sql, id, due.value, window);
  const before = await readServiceLoad(sql, id, due.value, { from, to: window.from });
  const lookedAt = { operations: now.operations + before.operations, attempts: now.attempts + before.attempts };
  const inside = sends.filter(({ startAt }) => startAt >= window.from && startAt < window.to).sort(byStartAt);
  const hits = judgeLoad(due.value, window.from, [now, before], settings, operationIdsOf(inside));
  return hits.map((hit) => ({ ...hit, window, lookedAt }));
}

async function findGathered(
  sql: Transaction['sql'],
  project: SettleProject,
  group: WindowGroup,
  due: DueWindow,
  gathered: Gathered,
): Promise<StreamFinding[]> {
  const { sends, facts } = gathered;
  const input = { window: windowAt(group, due.windowFrom), sends, facts, settings: project.settings };
  const loaded = group === 'service' ? await findLoad(sql, project, due, gathered) : [];
  return [...findInWindow(group, due.value, input), ...loaded];
}

/** What a window's checks find in stored facts under a project's rules; nothing is written. */
export async function findInStoredWindow(
  sql: Transaction['sql'],
  project: SettleProject,
  due: DueWindow,
): Promise<StreamFinding[]> {
  const group = groupOf(due);
  return await findGathered(sql, project, group, due, await gatherWindow(sql, project, group, due));
}

/** The send it is filed under: the one charged, else of the operations concerned the nearest in time. */
function spokenSend(finding: StreamFinding, { sends }: Gathered): Gathered['sends'][number] | undefined {
  const { operationId, attempt, at, evidence } = finding;
  const named = operationId ?? (Array.isArray(evidence.operationIds) ? String(evidence.operationIds[0]) : undefined);
  const own = sends.filter((send) => send.operationId === named);
  const charged = own.find((send) => send.attempt === attempt);
  const near = [...own].sort(
    (a, b) => Math.abs(a.startAt - at) - Math.abs(b.startAt - at) || (a.eventId < b.eventId ? -1 : 1),
  );
  return charged ?? near[0];
}

function rowOf(finding: StreamFinding, streamKey: string, gathered: Gathered): Omit<FindingRow, 'id'> {
  const { check, severity, operationId, attempt, evidence, subject, window, lookedAt } = finding;
  const eventId = spokenSend(finding, gathered)?.eventId;
  const dimensionId = eventId === undefined ? undefined : gathered.dimensions.get(eventId);
  const ruleSet = eventId === undefined ? undefined : gathered.judged.get(eventId)?.verdict.ruleSet;
  return {
    check,
    severity,
    operationId: operationId ?? null,
    attempt: attempt ?? null,
    at: Math.floor(finding.at),
    dimensionId: dimensionId ?? null,
    ruleSet: operationId === undefined ? null : (ruleSet ?? null),
    evidence,
    stream: {
      streamKey,
      subjectKind: subject.kind,
      subjectValue: subject.value,
      windowFrom: window.from,
      windowTo: window.to,
      lookedOperations: lookedAt.operations,
      lookedAttempts: lookedAt.attempts,
    },
  };
}
