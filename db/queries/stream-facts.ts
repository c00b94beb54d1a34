import type postgres from 'postgres';
import { membersOfLane } from './stream';

/** Facts that bear on more than the operation they name, and what they bear on. */

function iso(at: number): string {
  return new Date(at).toISOString();
}

export interface TouchedFact {
  seq: string;
  event: unknown;
  receivedAt: number;
}

/** Facts that settling has not spread yet, oldest mark first. */
export async function listTouchedFacts(tx: postgres.ISql, projectId: number, limit: number): Promise<TouchedFact[]> {
  return await tx<TouchedFact[]>`
    select t.seq::text as seq, f.event, (extract(epoch from f.received_at) * 1000)::float8 as "receivedAt"
    from (select seq, fact_id from fact_touch where project_id = ${projectId} order by fact_touch.seq limit ${limit}) t
    left join fact f on f.project_id = ${projectId} and f.id = t.fact_id
    order by t.seq`;
}

export async function deleteFactTouches(tx: postgres.ISql, projectId: number, seqs: readonly string[]): Promise<void> {
  if (seqs.length === 0) return;
  await tx`delete from fact_touch where project_id = ${projectId} and seq = any(${[...seqs]}::text[]::bigint[])`;
}

/** Touches operations under way at the instant of a fix whose code they had met. */
export async function touchRepaired(
  tx: postgres.ISql,
  projectId: number,
  news: { stream: 'cause' | 'credential'; digest: string; at: number; backMs: number },
): Promise<void> {
  const [from, at] = [iso(news.at - news.backMs), iso(news.at)];
  const met =
    news.stream === 'cause'
      ? tx`select m.operation_id from stream_member m
          where m.project_id = ${projectId} and m.stream = 'cause' and m.value = ${news.digest}::bigint
            and m.slot >= ${from}::timestamptz and m.slot <= ${at}::timestamptz`
      : tx`select m.operation_id from stream_lane l
          join lateral (${membersOfLane(tx, projectId)} and m.slot >= ${from}::timestamptz
            and m.slot <= ${at}::timestamptz and m.flags <> 0 and (m.flags & 4) <> 0 offset 0) m on true
          where l.project_id = ${projectId} and l.credential = ${news.digest}::bigint`;
  await tx`
    insert into operation_touch (project_id, operation_id)
    select ${projectId}::int, o.operation_id from operation o
    where o.project_id = ${projectId} and o.first_at <= ${at}::timestamptz and o.last_at >= ${at}::timestamptz
      and o.operation_id in (${met})`;
}

/** Marks the windows of error loops that a fix at `at` (epoch ms) may have ended. */
export async function touchErrorLoops(
  tx: postgres.ISql,
  projectId: number,
  span: { from: number; to: number; dueAt: number },
): Promise<void> {
  await tx`
    insert into stream_touch (project_id, stream, digest, value, window_from, due_at)
    select distinct ${projectId}::int, 'scope', split_part(f.stream_key, ' ', 2)::bigint, f.subject_value,
      f.window_from, ${iso(span.dueAt)}::timestamptz
    from finding f
    where f.project_id = ${projectId} and f.check_name = 'error_loop' and f.stream_key is not null
      and f.at >= ${iso(span.from)}::timestamptz and f.at < ${iso(span.to)}::timestamptz
    on conflict do nothing`;
}
