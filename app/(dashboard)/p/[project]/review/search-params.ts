import { firstParam, type RawParams } from '@/lib/present/scope';
import {
  DEFAULT_REVIEW_TAB,
  readReviewSort,
  readReviewTab,
  type ReviewSort,
  type ReviewTab,
} from '@/lib/present/review-tab';

/** What the queue reads from its URL besides filters and page. */
export interface ReviewListParams {
  tab: ReviewTab;
  sort: ReviewSort;
  q: string;
}

const SEARCH_CHARS_MAX = 200;

export function readReviewListParams(raw: RawParams): ReviewListParams {
  return {
    tab: readReviewTab(firstParam(raw, 'tab')),
    sort: readReviewSort(firstParam(raw, 'sort')),
    q: (firstParam(raw, 'q') ?? '').trim().slice(0, SEARCH_CHARS_MAX),
  };
}

/** The same, for links; what is the default stays out of the address. */
export function writeReviewListParams({ tab, sort, q }: ReviewListParams): Record<string, string | null> {
  return {
    tab: tab === DEFAULT_REVIEW_TAB ? null : tab,
    sort: sort === 'due' ? null : sort,
    q: q === '' ? null : q,
  };
}
