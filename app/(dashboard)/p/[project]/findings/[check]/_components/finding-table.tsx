import { getTranslations } from 'next-intl/server';
import { Pager } from '@/app/_components/list/pager';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import type { CheckName } from '@/lib/core/check-name';
import type { Severity } from '@/lib/core/operation';
import { nextPage, previousPage, type PagePlace } from '@/lib/present/pager';
import { findingPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { listFindings, type FindingListInput } from '@/lib/queries/findings';
import { QueryInputError } from '@/lib/queries/range';
import type { FindingRowView, Page } from '@/lib/queries/views';
import { writeFindingParams } from '../../search-params';
import { FindingRows } from './finding-rows';

const ROWS_PER_PAGE = 50;

interface FindingTableProps {
  page: PageContext;
  scope: Scope;
  check: CheckName;
  severity: Severity[];
  place: PagePlace;
}

/** A cursor of another list starts at the first page instead of failing. */
async function readRows(
  page: PageContext,
  input: FindingListInput,
  place: PagePlace,
): Promise<{ rows: Page<FindingRowView>; place: PagePlace }> {
  try {
    const rows = await listFindings(page, place.cursor === null ? input : { ...input, cursor: place.cursor });
    return { rows, place };
  } catch (error) {
    if (!(error instanceof QueryInputError) || place.cursor === null) throw error;
    return { rows: await listFindings(page, input), place: { cursor: null, trail: [] } };
  }
}

export async function FindingTable({ page, scope, check, severity, place: asked }: FindingTableProps) {
  const input = { range: scope.range, filters: scope.filters, check: [check], severity, limit: ROWS_PER_PAGE };
  const [t, { rows, place }] = await Promise.all([getTranslations('findings.one'), readRows(page, input, asked)]);
  if (rows.items.length === 0) return <PanelEmpty />;
  const path = findingPath(page.project.slug, check);
  return (
    <>
      <FindingRows page={page} tz={scope.range.tz} rows={rows.items} />
      <Pager
        label={t('pages')}
        previous={previousPage(place)}
        next={nextPage(place, rows.nextCursor)}
        href={({ cursor, trail }) =>
          path + writeScope(scope, { extra: { ...writeFindingParams({ severity }), cursor, trail } })
        }
        shown={t('shown', { count: rows.items.length })}
      />
    </>
  );
}
