/**
 * The operation id of an address segment as Next gives it (still percent-encoded). Ids may hold any character,
 * `/`, `#` and `%` too; what can't be decoded is taken as it stands.
 */
export function readOperationSegment(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    // The mark that `operationPath` puts before ids that a path can't hold.
    return text.startsWith('~') ? text.slice(1) : text;
  } catch {
    return segment;
  }
}
