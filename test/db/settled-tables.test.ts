import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject } from '../support/project';

/** Every CHECK of the settled and review tables, stated in both directions, refuses both ways. */

let database: TestDatabase;
let db: Database;
let projectId = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  projectId = (await createTestProject(db)).project.id;
});
afterAll(() => database.close());

const AT = '2026-11-29T10:00:00Z';
type Row = Record<string, string | number | boolean | null>;

async function insert(table: string, row: Row): Promise<string> {
  const names = Object.keys(row);
  const values = names.map((_, i) => `$${i + 1}`).join(', ');
  const columns = names.map((name) => `"${name}"`).join(', ');
  try {
    await db.sql.unsafe(`insert into ${table} (${columns}) values (${values})`, Object.values(row));
    return 'stored';
  } catch (error) {
    return (error as { constraint_name?: string }).constraint_name ?? String(error);
  }
}

const item = (over: Row = {}): Row => ({
  project_id: projectId,
  id: randomUUID(),
  operation_id: randomUUID(),
  episode: 1,
  state: 'open',
  cause: 'unknown_outcome',
  dimension_id: '1',
  doubt_since: AT,
  doubt_until: AT,
  opened_at: AT,
  due_at: AT,
  facts: '{}',
  ...over,
});
const HELD = { assignee_type: 'user', assignee_id: 'u', assignee_name: 'U' };
const DONE = { resolution: 'applied_once', resolved_at: AT, resolved_by: 'U' };

describe('review_item', () => {
  test.each<[string, Row]>([
    ['open', {}],
    ['open, assigned', HELD],
    ['claimed', { state: 'claimed', lease_until: AT, ...HELD }],
    ['snoozed', { state: 'snoozed', snoozed_until: AT }],
    ['resolved', { state: 'resolved', ...DONE }],
    ['with money', { amount_value: '1.50', amount_currency: 'EUR' }],
  ])('takes one that is %s', async (_name, over) => {
    expect(await insert('review_item', item(over))).toBe('stored');
  });

  test.each<[string, Row]>([
    ['review_item_state_word', { state: 'lost' }],
    ['review_item_cause_word', { cause: 'fear' }],
    ['review_item_assignee_word', { ...HELD, assignee_type: 'robot' }],
    ['review_item_assignee_both', { ...HELD, assignee_id: null }],
    ['review_item_assignee_both', { ...HELD, assignee_name: null }],
    ['review_item_claim_both', { state: 'claimed', ...HELD }],
    ['review_item_claim_both', { state: 'claimed', lease_until: AT }],
    ['review_item_claim_both', { state: 'open', lease_until: AT, ...HELD }],
    ['review_item_snooze_both', { state: 'snoozed' }],
    ['review_item_snooze_both', { state: 'open', snoozed_until: AT }],
    ['review_item_resolved_both', { state: 'resolved' }],
    ['review_item_resolved_both', { state: 'resolved', ...DONE, resolved_by: null }],
    ['review_item_resolved_both', { state: 'open', ...DONE }],
    ['review_item_resolution_word', { state: 'resolved', ...DONE, resolution: 'fine' }],
    ['review_item_amount_both', { amount_value: '1' }],
    ['review_item_amount_both', { amount_currency: 'EUR' }],
  ])('%s refuses %o', async (constraint, over) => {
    expect(await insert('review_item', item(over))).toBe(constraint);
  });

  test('an operation has each episode once', async () => {
    expect(await insert('review_item', item({ operation_id: 'twice' }))).toBe('stored');
    expect(await insert('review_item', item({ operation_id: 'twice' }))).toBe('review_item_episode_key');
  });
});

const operation = (over: Row = {}): Row => ({
  project_id: projectId,
  operation_id: randomUUID(),
  state: 'succeeded',
  possible_effects: 1,
  attempts: 1,
  retried: false,
  dimension_id: '1',
  first_at: AT,
  last_at: AT,
  over: true,
  settled_at: AT,
  ...over,
});
const pair = (over: Row = {}): Row => ({
  project_id: projectId,
  operation_id: 'p',
  attempt_event_id: randomUUID(),
  attempt: 1,
  at: AT,
  dimension_id: '1',
  compliance: 'early',
  early_ms: 1,
  over_ms: 0,
  strict: false,
  approx: false,
  ...over,
});
const event = (over: Row = {}): Row => ({
  project_id: projectId,
  id: randomUUID(),
  item_id: randomUUID(),
  at: AT,
  actor_type: 'system',
  actor_id: 's',
  actor_name: 'S',
  action: 'opened',
  ...over,
});
const operations = (over: Row = {}): Row => ({
  project_id: projectId,
  grain: 60,
  at: AT,
  dimension_id: String(Math.floor(Math.random() * 1e9)),
  state: 'failed',
  retried: false,
  operations: 1,
  attempts: 1,
  ...over,
});
const waits = (over: Row = {}): Row => ({
  project_id: projectId,
  grain: 15,
  at: AT,
  dimension_id: String(Math.floor(Math.random() * 1e9)),
  compliance: 'early',
  pairs: 1,
  early_ms: 0,
  over_ms: 0,
  ...over,
});
const reference = (over: Row = {}): Row => ({
  project_id: projectId,
  kind: 'code',
  value: randomUUID(),
  at: AT,
  operation_id: 'o',
  ...over,
});

const found = (over: Row = {}): Row => ({
  project_id: projectId,
  id: randomUUID(),
  check_name: 'early_retry',
  severity: 'medium',
  operation_id: 'o',
  at: AT,
  evidence: '{}',
  ...over,
});
const member = (over: Row = {}): Row => ({
  project_id: projectId,
  stream: 'lane',
  value: '5',
  slot: AT,
  operation_id: randomUUID(),
  flags: 0,
  ...over,
});
const marked = (over: Row = {}): Row => ({
  project_id: projectId,
  stream: 'scope',
  digest: '5',
  value: 's',
  window_from: AT,
  due_at: AT,
  ...over,
});
const STREAM: Row = {
  stream_key: 'k',
  subject_kind: 'scope',
  subject_value: 's',
  window_from: AT,
  window_to: AT,
  looked_operations: 2,
  looked_attempts: 2,
};

describe('settled tables', () => {
  test.each<[string, string, Row]>([
    ['operation', 'operation_state_word', operation({ state: 'done' })],
    ['operation', 'operation_counts_not_negative', operation({ possible_effects: -1 })],
    ['operation', 'operation_counts_not_negative', operation({ attempts: 0 })],
    ['operation_ref', 'operation_ref_kind_word', reference({ kind: 'name' })],
    ['retry_pair', 'retry_pair_compliance_word', pair({ compliance: 'not_asked' })],
    ['retry_pair', 'retry_pair_not_negative', pair({ early_ms: -1 })],
    ['operation_rollup', 'operation_rollup_grain_word', operations({ grain: 30 })],
    ['operation_rollup', 'operation_rollup_state_word', operations({ state: 'done' })],
    ['operation_rollup', 'operation_rollup_not_negative', operations({ operations: -1 })],
    ['compliance_rollup', 'compliance_rollup_grain_word', waits({ grain: 2 })],
    ['compliance_rollup', 'compliance_rollup_not_negative', waits({ pairs: -1 })],
    ['review_event', 'review_event_actor_word', event({ actor_type: 'robot' })],
    ['review_event', 'review_event_action_word', event({ action: 'deleted' })],
    ['stream_member', 'stream_member_stream_word', member({ stream: 'portal' })],
    ['stream_member', 'stream_member_flags_not_negative', member({ flags: -1 })],
    ['stream_touch', 'stream_touch_stream_word', marked({ stream: 'lane' })],
    ['finding', 'finding_check_form', found({ check_name: 'Early retry' })],
    ['finding', 'finding_severity_word', found({ severity: 'bad' })],
    ['finding', 'finding_attempt_positive', found({ attempt: 0 })],
    ['finding', 'finding_owner', found({ operation_id: null })],
    ['finding', 'finding_subject_word', found({ ...STREAM, subject_kind: 'portal' })],
    ['finding', 'finding_window_order', found({ ...STREAM, window_to: '2026-11-29T09:00:00Z' })],
    ['finding', 'finding_looked_not_negative', found({ ...STREAM, looked_attempts: -1 })],
    ...Object.keys(STREAM).map((name): [string, string, Row] => [
      'finding',
      'finding_stream_both',
      found({ ...STREAM, [name]: null }),
    ]),
    ...Object.keys(STREAM)
      .filter((name) => name !== 'stream_key')
      .map((name): [string, string, Row] => [
        'finding',
        'finding_stream_both',
        found({ [name]: STREAM[name] ?? null }),
      ]),
  ])('%s: %s', async (table, constraint, row) => {
    expect(await insert(table, { ...row, project_id: projectId })).toBe(constraint);
  });

  test.each<[string, () => Row]>([
    ['operation', operation],
    ['operation_ref', () => reference({ kind: 'parent' })],
    ['retry_pair', pair],
    ['operation_rollup', operations],
    ['compliance_rollup', waits],
    ['review_event', event],
    ['stream_member', member],
    ['stream_touch', marked],
    ['finding', () => found({ attempt: 2, rule_set: 'http@1' })],
    ['finding', () => found({ ...STREAM, operation_id: null })],
  ])('%s takes a right row', async (table, make) => {
    expect(await insert(table, make())).toBe('stored');
  });
});

describe('hot statements use their index', () => {
  beforeAll(async () => {
    await db.sql`
      insert into review_item (project_id, id, operation_id, episode, state, cause, dimension_id, doubt_since,
        doubt_until, opened_at, due_at, facts)
      select 1, gen_random_uuid(), 'many-' || i, 1, 'open', 'unknown_outcome', 1, now(), now(), now(), now(), '{}'
      from generate_series(1, 2000) i`;
    await db.sql`analyze review_item`;
  });

  /** With sequential scans made dear, a plan that still scans has no index to use. */
  async function planOf(statement: string): Promise<string> {
    const rows = await db.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx.unsafe(`explain ${statement}`);
    });
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  }

  test.each([
    [
      'operation_first_idx',
      `select * from operation where project_id = 1 and first_at >= '${AT}' order by first_at desc, operation_id desc limit 50`,
    ],
    [
      'stream_member_flagged_idx',
      `select m.operation_id from jsonb_to_recordset('[{"digest": 1, "from": "${AT}"}]') as r(digest bigint, "from" timestamptz)
       join lateral (select operation_id from stream_member where project_id = 1 and stream = 'key' and value = r.digest
         and slot >= r."from" and flags <> 0 and (flags & 18) <> 0 and (flags & 32) = 0 limit 2000) m on true`,
    ],
    [
      'stream_member_pkey',
      `select m.operation_id from jsonb_to_recordset('[{"digest": 1, "from": "${AT}"}]') as r(digest bigint, "from" timestamptz)
       join lateral (select operation_id from stream_member where project_id = 1 and stream = 'key' and value = r.digest
         and slot >= r."from" order by slot, operation_id limit 2000) m on true`,
    ],
    [
      'operation_changes_idx',
      `select operation_id from operation where project_id = 1 and changes_at <= '${AT}' order by changes_at limit 10`,
    ],
    [
      'operation_ref_pkey',
      `select operation_id from operation_ref where project_id = 1 and kind = 'request_id' and value = 'x'`,
    ],
    ['operation_ref_operation_idx', `select * from operation_ref where project_id = 1 and operation_id = any('{a,b}')`],
    [
      'retry_pair_compliance_idx',
      `select * from retry_pair where project_id = 1 and compliance in ('early', 'early_capped') and at >= '${AT}' and at < '${AT}'`,
    ],
    [
      'review_item_state_due_idx',
      `select * from review_item where project_id = 1 and state = 'open' order by due_at, id limit 1`,
    ],
    [
      'review_item_episode_key',
      `select * from review_item where project_id = 1 and operation_id = 'a' and episode = 1`,
    ],
    [
      'review_event_item_idx',
      `select * from review_event where project_id = 1 and item_id = '${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}'`,
    ],
    [
      'rate_rollup_pkey',
      `select * from rate_rollup where project_id = 1 and grain = 60 and at >= '${AT}' and at < '${AT}'`,
    ],
    [
      'operation_rollup_pkey',
      `select * from operation_rollup where project_id = 1 and grain = 60 and at >= '${AT}' and at < '${AT}'`,
    ],
    [
      'compliance_rollup_pkey',
      `select * from compliance_rollup where project_id = 1 and grain = 60 and at >= '${AT}' and at < '${AT}'`,
    ],
    [
      'finding_at_idx',
      `select * from finding where project_id = 1 and at >= '${AT}' and at < '${AT}' order by at desc, id desc limit 50`,
    ],
    [
      'finding_check_at_idx',
      `select * from finding where project_id = 1 and check_name = 'early_retry' and at >= '${AT}' order by at desc, id desc limit 50`,
    ],
    ['finding_operation_idx', `select id from finding where project_id = 1 and operation_id = any('{a,b}')`],
    ['finding_operation_pkey', `select finding_id from finding_operation where project_id = 1 and operation_id = 'a'`],
    [
      'stream_member_flagged_idx',
      `select 1 from stream_member where project_id = 1 and stream = 'lane' and value = 5 and slot >= '${AT}' and slot < '${AT}' and flags <> 0`,
    ],
    ['stream_member_operation_idx', `select * from stream_member where project_id = 1 and operation_id = any('{a,b}')`],
    [
      'stream_touch_due_idx',
      `select * from stream_touch where project_id = 1 and due_at <= '${AT}' order by due_at limit 9`,
    ],
    ['stream_lane_scope_idx', `select id from stream_lane where project_id = 1 and scope = 5`],
    ['finding_stream_idx', `select id from finding where project_id = 1 and stream_key = 'k'`],
    ['operation_touch_pkey', `select seq from operation_touch where project_id = 1 order by seq limit 500`],
    ['fact_operation_idx', `select * from fact where project_id = 1 and operation_id = any('{a,b}')`],
  ])('%s', async (index, statement) => {
    expect(await planOf(statement)).toContain(index);
  });
});
