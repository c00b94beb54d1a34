import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { RESOLUTIONS, type Resolution } from '@/lib/core/operation';
import type { Role } from '@/lib/core/permission';
import type { AuthorizedProject } from '@/lib/core/project';
import { getSettling } from '@/lib/queries/overview';
import { listReview } from '@/lib/queries/review';
import type { ReviewRowView, ReviewState } from '@/lib/queries/views';
import { claimReviewItem } from '@/lib/services/review/claim';
import type { ChangedItem, VerbContext, VerbResult } from '@/lib/services/review/context';
import { noteReviewItem } from '@/lib/services/review/note';
import { resolveReviewItem } from '@/lib/services/review/resolve';
import { snoozeReviewItem } from '@/lib/services/review/snooze';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './calendar';
import { CLAIM_NOTES, DEMO_PEOPLE, REMARKS, RESOLUTION_NOTES, SNOOZE_NOTES } from './people';
import { Random } from './random';

/** One of DEMO_PEOPLE as a user of the installation. */
export interface DemoMember {
  userId: string;
  email: string;
  name: string;
  role: Role;
}

export interface QueueOptions {
  db: Database;
  project: AuthorizedProject;
  members: readonly DemoMember[];
  now: () => number;
  signal?: AbortSignal;
}

export interface QueueResult {
  resolved: number;
  claimed: number;
  snoozed: number;
}

const PAGE = 500;
const CLAIMED_MAX = 4;
const SNOOZED_MAX = 5;
/** Items older than this are mostly done with. */
const OLD_MS = 30 * HOUR_MS;
/** So many of the youngest are never done with yet. */
const YOUNGEST_LEFT = 10;
const YOUNG_MS = 6 * HOUR_MS;

type Verb = (ctx: VerbContext, id: string, body: unknown) => Promise<VerbResult<ChangedItem>>;

/** Steady chance for one operation: the same person decides the same way in every run. */
function randomFor(operationId: string): Random {
  return new Random(...Array.from(operationId, (sign) => sign.codePointAt(0) ?? 0));
}

function contextOf(options: QueueOptions, member: DemoMember, now: number): VerbContext {
  const actor = { type: 'user' as const, id: member.userId, name: member.name };
  return { db: options.db, project: options.project, actor, role: member.role, now, requestId: 'demo' };
}

function pickWorker(options: QueueOptions, random: Random): DemoMember | null {
  const workers = options.members.flatMap((member) => {
    const share = DEMO_PEOPLE.find((person) => person.email === member.email)?.share ?? 0;
    return share > 0 ? [[member, share] as const] : [];
  });
  return workers.length > 0 ? random.weighted(workers) : null;
}

async function listAll(options: QueueOptions, states: ReviewState[]): Promise<ReviewRowView[]> {
  const ctx = { db: options.db, project: options.project, now: options.now() };
  const rows: ReviewRowView[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listReview(ctx, {
      filters: { state: states },
      sort: 'due',
      limit: PAGE,
      ...(cursor && { cursor }),
    });
    rows.push(...page.items);
    if (page.nextCursor === null) return rows;
    cursor = page.nextCursor;
  }
}

/** @returns true when the verb was let through; a lost race is somebody else's work and no fault. */
async function act(
  options: QueueOptions,
  member: DemoMember,
  at: number,
  verb: Verb,
  item: { id: string; version: number },
  body: Record<string, unknown>,
): Promise<boolean> {
  const result = await verb(contextOf(options, member, at), item.id, { version: item.version, ...body });
  return result.ok;
}

function drawResolution(item: ReviewRowView, random: Random): Resolution {
  if (item.cause === 'possible_duplicates') {
    return random.weighted([
      ['applied_more_than_once', 11],
      ['applied_once', 8],
      ['cannot_be_known', 1],
    ] as const);
  }
  return random.weighted([
    ['applied_once', 9],
    ['not_applied', 8],
    ['cannot_be_known', 2],
    ['partly_applied', 1],
  ] as const);
}

/**
 * The week is loaded in a minute but was lived in a week: what Readback itself noted of an item (opened, due) gets the
 * time it would have had, so that no history says "opened" after what people did with the item. Demo data only.
 */
async function backdateOpenings(options: QueueOptions): Promise<void> {
  await options.db.sql`
    update review_event e set at = i.opened_at
    from review_item i
    where e.project_id = ${options.project.id} and i.project_id = ${options.project.id} and i.id = e.item_id
      and e.actor_type = 'system' and e.action in ('opened', 'due') and e.at > i.opened_at`;
}

/** Claims and resolves one item as it would have been done back then. */
async function resolveItem(
  options: QueueOptions,
  item: ReviewRowView,
  random: Random,
  resolution: Resolution,
): Promise<boolean> {
  const member = pickWorker(options, random);
  if (!member) return false;
  const now = options.now();
  const spanMs = Math.max(0, now - item.openedAt - 4 * MINUTE_MS);
  const claimedAt = item.openedAt + Math.min(spanMs, random.between(0.3, 14) * HOUR_MS);
  const resolvedAt = Math.min(now, claimedAt + random.between(1, 9) * MINUTE_MS);
  const found = String(random.int(10_000, 99_999));
  const note = random.pick(RESOLUTION_NOTES[resolution]).replace('{id}', found);
  const evidence = note.includes(found) ? { evidence: [found] } : {};
  if (!(await act(options, member, claimedAt, claimReviewItem, item, {}))) return false;
  const claimed = { id: item.id, version: item.version + 1 };
  return act(options, member, resolvedAt, resolveReviewItem, claimed, { resolution, note, ...evidence });
}

function isDoneWith(item: ReviewRowView, random: Random, now: number): boolean {
  const ageMs = now - item.openedAt;
  return random.chance(ageMs > OLD_MS ? 0.93 : ageMs > YOUNG_MS ? 0.4 : 0.08);
}

/** Who has what in hand just now: a few claims, a few items put aside, remarks (said once) on some. */
async function holdSome(
  options: QueueOptions,
  items: ReviewRowView[],
  result: QueueResult,
  remarks: boolean,
): Promise<void> {
  // Of a short queue too, something stays open.
  const share = Math.ceil(items.length / 4);
  for (const item of items) {
    const random = randomFor(`${item.operationId}:hold`);
    const member = pickWorker(options, random);
    if (!member) return;
    const now = options.now();
    if (result.claimed < Math.min(CLAIMED_MAX, share)) {
      const note = random.chance(0.6) ? { note: random.pick(CLAIM_NOTES) } : {};
      if (await act(options, member, now, claimReviewItem, item, note)) result.claimed += 1;
    } else if (result.snoozed < Math.min(SNOOZED_MAX, share)) {
      const until = Math.round(now + random.between(0.4, 3) * DAY_MS);
      const body = { until, note: random.pick(SNOOZE_NOTES) };
      if (await act(options, member, now, snoozeReviewItem, item, body)) result.snoozed += 1;
    } else if (remarks && random.chance(0.15)) {
      await act(options, member, now, noteReviewItem, item, { note: random.pick(REMARKS) });
    }
  }
}

/**
 * What the people did with the week's doubts: most of the old ones are resolved, in every way there is, some of the
 * young ones are in hand or put aside. Repeating it leaves what was decided alone.
 * @param ways endings that the oldest items are given, so that each is seen; none on a later visit, which says no remark again
 */
export async function playDemoQueue(
  options: QueueOptions,
  ways: readonly Resolution[] = RESOLUTIONS,
): Promise<QueueResult> {
  const result: QueueResult = { resolved: 0, claimed: 0, snoozed: 0 };
  if (ways.length > 0) await backdateOpenings(options);
  const inHand = await listAll(options, ['claimed', 'snoozed']);
  result.claimed = inHand.filter((item) => item.state === 'claimed').length;
  result.snoozed = inHand.length - result.claimed;
  const left: ReviewRowView[] = [];
  const open = (await listAll(options, ['open'])).sort((a, b) => a.openedAt - b.openedAt);
  // The oldest of them show every way a doubt can end.
  const unusedWays = [...ways];
  for (const [index, item] of open.entries()) {
    if (options.signal?.aborted) return result;
    const young = index >= open.length - YOUNGEST_LEFT;
    const random = randomFor(item.operationId);
    const way = young ? undefined : unusedWays.shift();
    const done = way !== undefined || (!young && isDoneWith(item, random, options.now()));
    if (!done) left.push(item);
    else if (await resolveItem(options, item, random, way ?? drawResolution(item, random))) result.resolved += 1;
  }
  await holdSome(options, left.reverse(), result, ways.length > 0);
  return result;
}

/** News this young is what the trickle keeps adding; older news is still of the load. */
const SETTLED_LAG_MS = 5_000;
const LOOK_EVERY_MS = 2_000;

/** Waits until two looks in a row find what was loaded settled. */
export async function waitUntilSettled(options: QueueOptions): Promise<void> {
  for (let calm = 0; calm < 2;) {
    await sleep(LOOK_EVERY_MS, undefined, options.signal ? { signal: options.signal } : {});
    const { lagMs } = await getSettling({ db: options.db, project: options.project, now: options.now() });
    calm = lagMs < SETTLED_LAG_MS ? calm + 1 : 0;
  }
}

const WORK_EVERY_MS = MINUTE_MS;
/** One minute of work: leases are renewed by who holds them, and what has waited long enough is decided. */
async function workAMinute(options: QueueOptions): Promise<void> {
  for (const item of await listAll(options, ['claimed'])) {
    const holder = options.members.find((member) => member.userId === item.assignee?.id);
    if (holder) await act(options, holder, options.now(), claimReviewItem, item, {});
  }
  await playDemoQueue(options, []);
}

/** The people at work while the demo runs: once through the week, then minute by minute until `signal` fires. */
export async function runDemoQueue(
  options: QueueOptions & { signal: AbortSignal; onPlayed?: (result: QueueResult) => void },
): Promise<void> {
  await waitUntilSettled(options);
  if (options.signal.aborted) return;
  const played = await playDemoQueue(options);
  options.onPlayed?.(played);
  while (!options.signal.aborted) {
    await sleep(WORK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined);
    if (!options.signal.aborted) await workAMinute(options);
  }
}
