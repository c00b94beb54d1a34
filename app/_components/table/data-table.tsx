import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import Link from 'next/link';
import type { CSSProperties, ReactNode } from 'react';
import { formatSort, toggleSort, type SortOrder } from '@/lib/present/sort';
import classes from './data-table.module.css';

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, never wrapped. */
  numeric?: boolean;
  /** The header is a link that sorts by it. */
  sortable?: boolean;
  minWidth?: string;
}

interface DataTableProps<Row> {
  /** Says what the table holds; for screen readers, and the name of its scroll area. */
  caption: string;
  rows: readonly Row[];
  /** The first one heads its row and holds the row's link. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** null for a row that leads nowhere. */
  rowHref?: (row: Row) => string | null;
  sort?: SortOrder;
  /** Address of this page with another `sort`. */
  sortHref?: (sort: string) => string;
}

/**
 * The workhorse: sticky header, sort order in the URL, one real link a row. On a narrow screen a row's cells stand below
 * each other, each with its column's name.
 */
export function DataTable<Row>({ caption, rows, columns, rowKey, rowHref, sort, sortHref }: DataTableProps<Row>) {
  return (
    <div className={classes.scroll} role="region" aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} sortHref={sortHref} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} data-linked={rowHref?.(row) ? true : undefined}>
              {columns.map((column, place) => {
                const href = rowHref?.(row) ?? null;
                const content = column.cell(row);
                const style = column.minWidth ? ({ '--column-min': column.minWidth } as CSSProperties) : undefined;
                const label = typeof column.header === 'string' ? column.header : undefined;
                if (place > 0) {
                  return (
                    <td key={column.id} data-label={label} data-numeric={column.numeric || undefined} style={style}>
                      <div>{content}</div>
                    </td>
                  );
                }
                return (
                  <th key={column.id} scope="row" style={style}>
                    {href ? (
                      <Link href={href} prefetch={false} className={classes.rowLink}>
                        {content}
                      </Link>
                    ) : (
                      content
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort?: SortOrder;
  sortHref?: (sort: string) => string;
}

function HeaderCell<Row>({ column, sort, sortHref }: HeaderCellProps<Row>) {
  const t = useTranslations('common.table');
  const active = sort?.column === column.id;
  const direction = active ? (sort.descending ? 'descending' : 'ascending') : undefined;
  const Icon = sort?.descending ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      data-numeric={column.numeric || undefined}
      data-sortable={(column.sortable && sort) || undefined}
      aria-sort={direction}
    >
      {column.sortable && sort && sortHref ? (
        <Link
          href={sortHref(formatSort(toggleSort(sort, column.id)))}
          prefetch={false}
          replace
          scroll={false}
          className={classes.sort}
          title={t('sortBy')}
        >
          {column.header}
          {active ? <Icon size={13} aria-hidden /> : null}
        </Link>
      ) : (
        column.header
      )}
    </th>
  );
}
