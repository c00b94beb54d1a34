/**
 * Columns of a statement as text literals of PostgreSQL arrays: postgres.js sends them as they are, which is much
 * cheaper than serialising JavaScript arrays element by element. Only for values that need no quoting.
 */
export function arrayLiteral(values: readonly (number | bigint | string)[]): string {
  return `{${values.join(',')}}`;
}

/** Parts JSON documents in one text: a control character that JSON text can only hold escaped. */
export const RECORD_SEPARATOR = '\u001e';

export function documentsText(documents: readonly string[]): string {
  return documents.join(RECORD_SEPARATOR);
}
