/** Sort order as the URL says it: `count` ascending, `-count` descending. */
export interface SortOrder {
  column: string;
  descending: boolean;
}

/** Reads `?sort=`; anything that is not one of `columns` gives `fallback`. */
export function parseSort(text: string | null | undefined, columns: readonly string[], fallback: SortOrder): SortOrder {
  if (!text) return fallback;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return columns.includes(column) ? { column, descending } : fallback;
}

export function formatSort(order: SortOrder): string {
  return order.descending ? `-${order.column}` : order.column;
}

/** The order a click on that column's head gives: the other way round, or `descending` first for a new column. */
export function toggleSort(order: SortOrder, column: string): SortOrder {
  return order.column === column ? { column, descending: !order.descending } : { column, descending: true };
}

export type SortValue = string | number | null;

/** A sorted copy. Nulls come last in both directions; equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  order: SortOrder,
  valueOf: (row: Row, column: string) => SortValue,
): Row[] {
  const sign = order.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const left = valueOf(a, order.column);
    const right = valueOf(b, order.column);
    if (left === right) return 0;
    if (left === null) return 1;
    if (right === null) return -1;
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
    return sign * (String(left) < String(right) ? -1 : 1);
  });
}
