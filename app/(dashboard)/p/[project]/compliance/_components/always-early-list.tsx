import { getTranslations } from 'next-intl/server';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { Pager } from '@/app/_components/list/pager';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { DataTable } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { formatDuration } from '@/lib/present/duration';
import { formatInstant, toIso } from '@/lib/present/instant';
import { formatCount } from '@/lib/present/number';
import { nextPage, previousPage, type PagePlace, type PagerParams } from '@/lib/present/pager';
import { operationPath } from '@/lib/present/routes';
import type { Scope } from '@/lib/present/scope';
import { listAlwaysEarly, type AlwaysEarlyInput } from '@/lib/queries/always-early';
import { QueryInputError } from '@/lib/queries/range';
import type { AlwaysEarlyView, Page } from '@/lib/queries/views';

const ROWS_PER_PAGE = 25;

interface AlwaysEarlyListProps {
  page: PageContext;
  scope: Scope;
  place: PagePlace;
  /** Address of this page with its list at another place. */
  href: (place: PagerParams) => string;
}

/** A cursor of another list starts at the first page instead of failing. */
async function readRows(
  page: PageContext,
  input: AlwaysEarlyInput,
  place: PagePlace,
): Promise<{ rows: Page<AlwaysEarlyView>; place: PagePlace }> {
  try {
    const rows = await listAlwaysEarly(page, place.cursor === null ? input : { ...input, cursor: place.cursor });
    return { rows, place };
  } catch (error) {
    if (!(error instanceof QueryInputError) || place.cursor === null) throw error;
    return { rows: await listAlwaysEarly(page, input), place: { cursor: null, trail: [] } };
  }
}

/** Operations that burnt every retry inside the asked wait. */
export async function AlwaysEarlyList({ page, scope, place: asked, href }: AlwaysEarlyListProps) {
  const input = { range: scope.range, filters: scope.filters, limit: ROWS_PER_PAGE };
  const [t, { rows, place }] = await Promise.all([getTranslations('compliance.always'), readRows(page, input, asked)]);
  if (rows.items.length === 0 && place.cursor === null) return <PanelEmpty>{t('nothing')}</PanelEmpty>;
  const { locale, now } = page;
  return (
    <>
      <DataTable
        caption={t('title')}
        rows={rows.items}
        rowKey={(row) => row.operationId}
        rowHref={(row) => operationPath(page.project.slug, row.operationId)}
        columns={[
          {
            id: 'operation',
            header: t('operation'),
            minWidth: '11rem',
            cell: (row) => <CodeText plain value={row.operationId} />,
          },
          {
            id: 'service',
            header: t('service'),
            minWidth: '7rem',
            cell: (row) => <span className="mono">{row.service}</span>,
          },
          { id: 'call', header: t('call'), minWidth: '9rem', cell: (row) => <CodeText plain value={row.call} /> },
          { id: 'code', header: t('code'), minWidth: '9rem', cell: (row) => <CodeText plain value={row.code} /> },
          { id: 'retries', header: t('retries'), numeric: true, cell: (row) => formatCount(row.retries, locale) },
          { id: 'early', header: t('earlyMax'), numeric: true, cell: (row) => formatDuration(row.earlyMsMax, locale) },
          {
            id: 'at',
            header: t('at'),
            numeric: true,
            cell: (row) => (
              <time dateTime={toIso(row.at)}>{formatInstant(row.at, { locale, tz: scope.range.tz }, now)}</time>
            ),
          },
        ]}
      />
      <Pager
        label={t('pages')}
        previous={previousPage(place)}
        next={nextPage(place, rows.nextCursor)}
        href={href}
        shown={t('count', { count: rows.items.length })}
      />
    </>
  );
}
