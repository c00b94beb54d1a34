import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines on stdout. Never bodies, query values, SQL parameters or PostgreSQL's `detail`. */
export function createLog(level: string, base: Record<string, unknown> = {}): Logger {
  return pino({
    level,
    base,
    redact: {
      paths: ['*.authorization', '*.cookie', '*.password', '*.detail', '*.parameters', '*.query'],
      remove: true,
    },
    serializers: {
      err: (error: unknown) =>
        error instanceof Error
          ? { name: error.name, message: error.message, code: (error as { code?: unknown }).code, stack: error.stack }
          : { message: String(error) },
    },
  });
}
