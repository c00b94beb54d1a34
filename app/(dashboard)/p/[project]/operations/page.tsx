import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { ScopeBar } from '@/app/_components/filters/scope-bar';
import { ScopeNote } from '@/app/_components/filters/scope-note';
import { PageHead } from '@/app/_components/list/page-head';
import { Pager } from '@/app/_components/list/pager';
import { SearchBox } from '@/app/_components/list/search-box.client';
import listClasses from '@/app/_components/list/list.module.css';
import { requirePage, type PageContext } from '@/lib/auth/context';
import { getHiddenColumns } from '@/lib/auth/preferences';
import { nextPage, previousPage, readPagePlace, type PagePlace } from '@/lib/present/pager';
import { sectionPath } from '@/lib/present/routes';
import { countFilters, readScope, writeScope, type RawParams, type Scope } from '@/lib/present/scope';
import { listFilterChoices } from '@/lib/queries/choices';
import { listOperations } from '@/lib/queries/operations';
import { QueryInputError } from '@/lib/queries/range';
import type { OperationRowView, Page } from '@/lib/queries/views';
import { OperationTable } from './_components/operation-table';
import { StateFilter } from './_components/state-filter.client';
import { readOperationListParams, writeOperationListParams, type OperationListParams } from './search-params';

const ROWS_PER_PAGE = 50;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('operations');
  return { title: t('title') };
}

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<RawParams>;
}

/** A cursor of another list starts at the first page instead of failing. */
async function readRows(
  page: PageContext,
  scope: Scope,
  params: OperationListParams,
  place: PagePlace,
): Promise<{ rows: Page<OperationRowView>; place: PagePlace }> {
  const input = { range: scope.range, filters: scope.filters, limit: ROWS_PER_PAGE, ...params };
  try {
    const rows = await listOperations(page, place.cursor === null ? input : { ...input, cursor: place.cursor });
    return { rows, place };
  } catch (error) {
    if (!(error instanceof QueryInputError) || place.cursor === null) throw error;
    return { rows: await listOperations(page, input), place: { cursor: null, trail: [] } };
  }
}

export default async function OperationsPage({ params, searchParams }: Props) {
  const [{ project: slug }, raw, t, ended] = await Promise.all([
    params,
    searchParams,
    getTranslations('operations'),
    getTranslations('common.ended'),
  ]);
  const page = await requirePage(slug, 'read');
  const scope = readScope(raw, { now: page.now, tz: page.tz });
  const list = readOperationListParams(raw);
  const [choices, hidden, { rows, place }] = await Promise.all([
    listFilterChoices(page),
    getHiddenColumns('operations'),
    readRows(page, scope, list, readPagePlace(raw)),
  ]);
  const href = (extra: Record<string, string | readonly string[] | null>) =>
    sectionPath(slug, 'operations') + writeScope(scope, { extra: { ...writeOperationListParams(list), ...extra } });
  return (
    <>
      <PageHead title={t('title')} />
      <ScopeBar scope={scope} now={page.now} choices={choices} />
      <SearchBox label={t('search.label')} placeholder={t('search.placeholder')} q={list.q} />
      <StateFilter states={list.states} />
      <p className={listClasses.note}>
        {list.q === '' ? t('list.scope') : t('list.scopeSearch', { q: list.q })}{' '}
        <ScopeNote scope={scope} now={page.now} />
        {list.ended ? (
          <>
            {' '}
            {t('list.ended', { part: ended(list.ended) })}{' '}
            <Link href={href({ ended: null })}>{t('list.endedAll')}</Link>
          </>
        ) : null}
        {scope.filters.code ? (
          <>
            {' '}
            {list.codeOf === 'last' ? t('list.codeOfLast') : t('list.codeOfAny')}{' '}
            <Link href={href({ codeOf: list.codeOf === 'last' ? null : 'last' })}>
              {list.codeOf === 'last' ? t('list.showAny') : t('list.showLast')}
            </Link>
          </>
        ) : null}
      </p>
      {rows.items.length === 0 ? (
        <NoOperations slug={slug} scope={scope} list={list} />
      ) : (
        <>
          <OperationTable slug={slug} rows={rows.items} tz={scope.range.tz} hidden={hidden} />
          <Pager
            label={t('list.pages')}
            previous={previousPage(place)}
            next={nextPage(place, rows.nextCursor)}
            href={({ cursor, trail }) => href({ cursor, trail })}
            shown={t('list.shown', { count: rows.items.length })}
          />
        </>
      )}
    </>
  );
}

async function NoOperations({ slug, scope, list }: { slug: string; scope: Scope; list: OperationListParams }) {
  const t = await getTranslations('operations.list');
  const narrowed =
    list.q !== '' || list.states.length > 0 || list.ended !== undefined || countFilters(scope.filters) > 0;
  const path = sectionPath(slug, 'operations');
  const wide = new URLSearchParams([...(list.q === '' ? [] : [['q', list.q]]), ['last', '30d']]);
  return (
    <div className={listClasses.empty}>
      <h2>{narrowed ? t('noMatchTitle') : t('emptyTitle')}</h2>
      <p>{narrowed ? t('noMatchBody') : t('emptyBody')}</p>
      {scope.range.word === '30d' ? null : (
        <p>
          <Link href={`${path}?${wide}`}>{t('widen')}</Link>
        </p>
      )}
      {narrowed ? (
        <p>
          <Link href={path}>{t('clearAll')}</Link>
        </p>
      ) : null}
    </div>
  );
}
