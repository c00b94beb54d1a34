/** How calls ended: five parts that add up to all calls. */
export const CALL_PARTS = ['first_try', 'after_retry', 'exhausted', 'unresolved', 'open'] as const;
export type CallPartId = (typeof CALL_PARTS)[number];

export interface CallPart {
  id: CallPartId;
  count: number;
  /** Of all calls; null without calls. */
  share: number | null;
  /** End of a Mantine colour variable's name. */
  colour: string;
}

export interface CallTotals {
  calls: number;
  firstTrySuccess: number;
  successAfterRetry: number;
  exhausted: number;
  unresolved: number;
  open: number;
}

const COLOURS: Readonly<Record<CallPartId, string>> = {
  first_try: 'teal-6',
  after_retry: 'cyan-6',
  exhausted: 'red-6',
  unresolved: 'orange-6',
  open: 'gray-5',
};

/** Parts in a fixed order, good ones first. */
export function prepareCalls(totals: CallTotals): CallPart[] {
  const counts: Record<CallPartId, number> = {
    first_try: totals.firstTrySuccess,
    after_retry: totals.successAfterRetry,
    exhausted: totals.exhausted,
    unresolved: totals.unresolved,
    open: totals.open,
  };
  return CALL_PARTS.map((id) => ({
    id,
    count: counts[id],
    share: totals.calls > 0 ? counts[id] / totals.calls : null,
    colour: COLOURS[id],
  }));
}
