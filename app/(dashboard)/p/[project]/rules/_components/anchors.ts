import type { RuleRow } from '@/lib/core/rules/rule';
import { ruleAnchor } from '@/lib/present/routes';

export interface AnchoredRow {
  row: RuleRow;
  /** `rule-` and the row's id; a second row of the same id gets `-2`. */
  anchor: string;
}

/** Anchors that stay the same as long as the edition does, and are unique on the page. */
export function numberAnchors(rows: readonly RuleRow[]): AnchoredRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const count = (seen.get(row.id) ?? 0) + 1;
    seen.set(row.id, count);
    const anchor = ruleAnchor(row.id);
    return { row, anchor: count === 1 ? anchor : `${anchor}-${count}` };
  });
}
