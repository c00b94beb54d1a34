/** A fault the person at the terminal can mend. Its message is one whole sentence, shown without a stack. */
export class PlainError extends Error {
  override name = 'PlainError';
}

/** The `code` of a Node or PostgreSQL error, or an empty text. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
