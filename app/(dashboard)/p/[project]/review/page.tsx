import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import listClasses from '@/app/_components/list/list.module.css';
import { PageHead } from '@/app/_components/list/page-head';
import { Pager } from '@/app/_components/list/pager';
import { SearchBox } from '@/app/_components/list/search-box.client';
import { requirePage, type PageContext } from '@/lib/auth/context';
import { getHiddenColumns } from '@/lib/auth/preferences';
import { may } from '@/lib/core/permission';
import { nextPage, previousPage, readPagePlace, type PagePlace } from '@/lib/present/pager';
import { filterOfTab, REVIEW_SORTS } from '@/lib/present/review-tab';
import { sectionPath } from '@/lib/present/routes';
import { countFilters, readScope, writeScope, type RawParams, type Scope } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { QueryInputError } from '@/lib/queries/range';
import { getReviewSummary, listReview } from '@/lib/queries/review';
import type { Page, ReviewFilters, ReviewRowView } from '@/lib/queries/views';
import { QueueTools } from './_components/queue-tools.client';
import { ReviewSummary } from './_components/review-summary';
import { ReviewTable } from './_components/review-table';
import { ReviewTabs } from './_components/review-tabs';
import classes from './_components/review.module.css';
import { readReviewListParams, writeReviewListParams, type ReviewListParams } from './search-params';

const ROWS_PER_PAGE = 50;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('review');
  return { title: t('title') };
}

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<RawParams>;
}

/** A cursor of another list starts at the first page instead of failing. */
async function readRows(
  page: PageContext,
  filters: ReviewFilters,
  sort: ReviewListParams['sort'],
  place: PagePlace,
): Promise<{ rows: Page<ReviewRowView>; place: PagePlace }> {
  const input = { filters, sort, limit: ROWS_PER_PAGE };
  try {
    const rows = await listReview(page, place.cursor === null ? input : { ...input, cursor: place.cursor });
    return { rows, place };
  } catch (error) {
    if (!(error instanceof QueryInputError) || place.cursor === null) throw error;
    return { rows: await listReview(page, input), place: { cursor: null, trail: [] } };
  }
}

export default async function ReviewPage({ params, searchParams }: Props) {
  const [{ project: slug }, raw, t] = await Promise.all([params, searchParams, getTranslations('review')]);
  const page = await requirePage(slug, 'read');
  const scope = readScope(raw, { now: page.now, tz: page.tz });
  const list = readReviewListParams(raw);
  const filters = { ...scope.filters, actorId: page.actor.id, q: list.q };
  const [choices, hidden, summary, { rows, place }] = await Promise.all([
    listFilterChoices(page),
    getHiddenColumns('review'),
    getReviewSummary(page, filters),
    readRows(page, { ...filters, ...filterOfTab(list.tab) }, list.sort, readPagePlace(raw)),
  ]);
  const href = (change: Partial<ReviewListParams>, extra: Record<string, string | readonly string[] | null> = {}) =>
    sectionPath(slug, 'review') +
    writeScope(scope, { extra: { ...writeReviewListParams({ ...list, ...change }), ...extra } });
  const mayWork = may(page.role, 'review.work');
  return (
    <>
      <PageHead title={t('title')} />
      <p className={listClasses.note}>{t('intro')}</p>
      <ScopeBar scope={scope} now={page.now} choices={choices} withRange={false} />
      <SearchBox label={t('search.label')} placeholder={t('search.placeholder')} q={list.q} />
      <ReviewSummary summary={summary} now={page.now} />
      <ReviewTabs current={list.tab} counts={summary} href={(tab) => href({ tab })} />
      <p className={classes.orders}>
        <span>{t(`tabMeaning.${list.tab}`)}</span>
        <span>
          {t('sort.label')}:{' '}
          {REVIEW_SORTS.map((sort) => (
            <Link key={sort} href={href({ sort })} aria-current={sort === list.sort ? 'true' : undefined}>
              {t(`sort.${sort}`)}{' '}
            </Link>
          ))}
        </span>
      </p>
      <QueueTools slug={slug} mayWork={mayWork}>
        {rows.items.length === 0 ? (
          <NoItems list={list} scope={scope} />
        ) : (
          <ReviewTable
            slug={slug}
            tab={list.tab}
            rows={rows.items}
            actorId={page.actor.id}
            mayWork={mayWork}
            now={page.now}
            tz={page.tz}
            hidden={hidden}
          />
        )}
      </QueueTools>
      <Pager
        label={t('list.pages')}
        previous={previousPage(place)}
        next={nextPage(place, rows.nextCursor)}
        href={({ cursor, trail }) => href({}, { cursor, trail })}
        shown={t('list.shown', { count: rows.items.length })}
      />
    </>
  );
}

async function NoItems({ list, scope }: { list: ReviewListParams; scope: Scope }) {
  const t = await getTranslations('review.list');
  const narrowed = list.q !== '' || countFilters(scope.filters) > 0;
  return (
    <div className={listClasses.empty}>
      <h2>{t('emptyTitle')}</h2>
      <p>{narrowed ? t('emptyFiltered') : t(`empty.${list.tab}`)}</p>
    </div>
  );
}
