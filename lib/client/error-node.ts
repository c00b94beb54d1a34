import type { ErrorNode } from '../core/attempt';

const DEPTH_MAX = 8;
const MEMBERS_MAX = 8;
const MESSAGE_CHARS_MAX = 300;

/** Query strings and user info hold tokens more often than help. */
function cutSecrets(message: string): string {
  return message.replace(/\?[^\s'"]*/g, '?…').replace(/\/\/[^/\s@]+@/g, '//…@');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MESSAGE_CHARS_MAX) : undefined;
}

/**
 * An error chain as plain data: name, code, syscall, message, `cause` and `errors`, nothing else of it.
 * @param error whatever was thrown; a reason that is no object becomes its text
 */
export function describeError(error: unknown, depth = 0): ErrorNode {
  if (typeof error !== 'object' || error === null) return { message: cutSecrets(String(error)) };
  const source = error as Record<string, unknown>;
  const node: ErrorNode = {};
  const name = textOf(source.name);
  const syscall = textOf(source.syscall);
  const message = textOf(source.message);
  if (name) node.name = name;
  if (typeof source.code === 'string' || typeof source.code === 'number') node.code = source.code;
  if (syscall) node.syscall = syscall;
  if (message) node.message = cutSecrets(message);
  if (depth >= DEPTH_MAX) return node;
  if (source.cause !== undefined && source.cause !== null) node.cause = describeError(source.cause, depth + 1);
  if (Array.isArray(source.errors)) {
    node.errors = source.errors.slice(0, MEMBERS_MAX).map((member) => describeError(member, depth + 1));
  }
  return node;
}
