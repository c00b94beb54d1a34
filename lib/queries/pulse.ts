import { epochMs } from './statement';
import type { QueryContext } from './views';

export interface PulseView {
  /** Equal stamps mean that nothing on the screens has changed but the passing of time. */
  stamp: string;
  /** Review items that wait for a person. */
  openReviews: number;
}

interface PulseRow {
  settled_at: number | null;
  changed_at: number | null;
  open: number;
}

/** What a screen asks every few seconds to learn whether to load itself again: two small index reads. */
export async function getPulse(ctx: Pick<QueryContext, 'db' | 'project'>): Promise<PulseView> {
  const { sql } = ctx.db;
  const [row] = await sql<PulseRow[]>`
    select (select ${epochMs(sql, 'settled_at')} from settle_turn where project_id = ${ctx.project.id}) as settled_at,
           floor(extract(epoch from max(updated_at)) * 1000)::float8 as changed_at,
           count(*) filter (where state in ('open', 'claimed'))::int as open
    from review_item
    where project_id = ${ctx.project.id} and state in ('waiting', 'open', 'claimed', 'snoozed')`;
  return {
    stamp: `${row?.settled_at ?? 0}-${row?.changed_at ?? 0}-${row?.open ?? 0}`,
    openReviews: row?.open ?? 0,
  };
}
