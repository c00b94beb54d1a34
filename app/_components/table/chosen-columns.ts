import type { Column } from './data-table';

/** Columns a viewer may leave out: all but the first, which heads its row and holds its link. */
export function listChoosable<Row>(columns: readonly Column<Row>[]): { id: string; label: string }[] {
  return columns.slice(1).flatMap(({ id, header }) => (typeof header === 'string' ? [{ id, label: header }] : []));
}

/** What is left of them. */
export function chooseColumns<Row>(columns: readonly Column<Row>[], hidden: readonly string[]): Column<Row>[] {
  return columns.filter(({ id }, place) => place === 0 || !hidden.includes(id));
}
