import type { ReviewState } from '../core/review';

/** Tabs of the queue: each is one filter, so that its count and its list can't mean different things. */
export const REVIEW_TABS = ['open', 'mine', 'claimed', 'waiting', 'snoozed', 'resolved'] as const;
export type ReviewTab = (typeof REVIEW_TABS)[number];

export const DEFAULT_REVIEW_TAB: ReviewTab = 'open';

export interface ReviewTabFilter {
  state: ReviewState[];
  assignee?: 'mine';
}

const FILTERS: Readonly<Record<ReviewTab, ReviewTabFilter>> = {
  open: { state: ['open'] },
  mine: { state: ['waiting', 'open', 'claimed', 'snoozed'], assignee: 'mine' },
  claimed: { state: ['claimed'] },
  waiting: { state: ['waiting'] },
  snoozed: { state: ['snoozed'] },
  resolved: { state: ['resolved'] },
};

export function filterOfTab(tab: ReviewTab): ReviewTabFilter {
  return FILTERS[tab];
}

export function readReviewTab(word: string | null): ReviewTab {
  return REVIEW_TABS.find((tab) => tab === word) ?? DEFAULT_REVIEW_TAB;
}

export const REVIEW_SORTS = ['due', 'amount'] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];

export function readReviewSort(word: string | null): ReviewSort {
  return REVIEW_SORTS.find((sort) => sort === word) ?? 'due';
}
