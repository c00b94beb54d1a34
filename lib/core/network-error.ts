import type { ErrorNode } from './attempt';
import {
  ABORT_CODES,
  ABORT_NAMES,
  CERTIFICATE_CODES,
  CODE_PHASES,
  HANDSHAKE_CODES,
  NAME_PHASES,
  NOT_PROCESSED_CODES,
  TIMEOUT_CODES,
  TIMEOUT_NAMES,
  UNREADABLE_NAMES,
} from './network-codes';
import type { Phase } from './verdict';

/**
 * One shape for what Node, undici, axios, got, Octokit, DOM exceptions and Python or Java clients report
 * (standards.md §3.3, domain.md §5 H4, H5, H7). Only structured fields decide; the one message read is
 * Node's own fixed text for a refused HTTP/2 stream, which it gives no field for.
 */
export interface NetworkError {
  /** Name of the outermost node that has one. */
  name: string | null;
  /** Code the verdict goes by: the deepest one with text; of parallel errors the least safe. */
  code: string | null;
  syscall: string | null;
  /** null when the error doesn't say. */
  phase: Phase | null;
  /** Failed before any byte of the request could reach the application. */
  preflight: boolean;
  /** The peer vouches that it processed nothing (HTTP/2 refused stream, GOAWAY before the stream). */
  notProcessed: boolean;
  certificate: boolean;
  /** The name doesn't exist. */
  notFound: boolean;
  timeout: boolean;
  aborted: boolean;
  /** Text that could not be parsed (`SyntaxError` and its kin). */
  unreadable: boolean;
  /** A TypeError with nothing of the network below it: a bug, a bad port, or a report that dropped its cause (Q5). */
  programError: boolean;
  /** Every text code seen, outermost first, without repeats. */
  codes: string[];
}

const DEPTH_MAX = 8;
const NODES_MAX = 64;

interface Leaf {
  code: string | null;
  syscall: string | null;
  phase: Phase | null;
  preflight: boolean;
  notProcessed: boolean;
  certificate: boolean;
  notFound: boolean;
  depth: number;
}

interface Walk {
  nodes: ErrorNode[];
  left: number;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Python and Java tell a class with its module or package (`java.net.ConnectException`): the last word is its name. */
function classOf(node: ErrorNode): string | null {
  const name = textOf(node.name);
  return name?.slice(name.lastIndexOf('.') + 1) ?? null;
}

const DOM_NAMES: ReadonlySet<string | null> = new Set(['AbortError', 'TimeoutError', 'DOMException']);

/** A code with text. The number of a DOMException is none, not even written as text: its name says what it is. */
function codeOf(node: ErrorNode): string | null {
  const code = textOf(node.code);
  const domNumber = (code === '20' || code === '23') && DOM_NAMES.has(classOf(node));
  return domNumber ? null : code;
}

function phaseOfSyscall(syscall: string | null): Phase | null {
  if (syscall === 'getaddrinfo' || syscall?.startsWith('query')) return 'dns';
  if (syscall === 'connect') return 'connect';
  if (syscall === 'write') return 'sending';
  if (syscall === 'read') return 'awaiting_response';
  return null;
}

function leafOf(node: ErrorNode, depth: number): Leaf | null {
  const code = codeOf(node);
  const name = classOf(node);
  const namePhase = NAME_PHASES.get(name);
  if (code === null && namePhase === undefined) return null;
  const syscall = textOf(node.syscall);
  const certificate = CERTIFICATE_CODES.has(code);
  const handshake = HANDSHAKE_CODES.has(code);
  const refusedStream =
    code === 'ERR_HTTP2_STREAM_ERROR' && textOf(node.message)?.includes('NGHTTP2_REFUSED_STREAM') === true;
  const phase =
    certificate || handshake ? 'tls' : (phaseOfSyscall(syscall) ?? CODE_PHASES.get(code) ?? namePhase ?? null);
  return {
    code,
    syscall,
    phase,
    preflight: phase === 'dns' || phase === 'connect' || phase === 'tls',
    notProcessed: refusedStream || NOT_PROCESSED_CODES.has(code),
    certificate,
    notFound: code === 'ENOTFOUND',
    depth,
  };
}

/** Lower is less safe: of parallel failures the one decides after which most could have happened. */
function safety(leaf: Leaf): number {
  if (leaf.certificate) return 3;
  if (leaf.notFound) return 4;
  if (leaf.preflight) return 2;
  if (leaf.notProcessed) return 1;
  return 0;
}

/** A parallel failure that names no code (a TimeoutError, or one past the bounds) proves nothing of what was sent. */
function unclearLeaf(depth: number): Leaf {
  return {
    code: null,
    syscall: null,
    phase: null,
    preflight: false,
    notProcessed: false,
    certificate: false,
    notFound: false,
    depth,
  };
}

/** Of parallel failures each is judged; null when none of them says anything. */
function descendParallel(errors: readonly ErrorNode[], depth: number, walk: Walk): Leaf | null {
  const seen = errors.slice(0, NODES_MAX).map((child) => descend(child, depth, walk));
  if (seen.every((leaf) => leaf === null)) return null;
  if (errors.length > NODES_MAX) seen.push(null);
  return seen.map((leaf) => leaf ?? unclearLeaf(depth)).reduce((a, b) => (safety(b) < safety(a) ? b : a));
}

/** @returns the leaf that decides below this node, deepest first along causes, least safe among siblings. */
function descend(node: ErrorNode, depth: number, walk: Walk): Leaf | null {
  if (walk.left <= 0 || typeof node !== 'object' || node === null) return null;
  walk.left--;
  walk.nodes.push(node);
  const deeper = depth < DEPTH_MAX;
  const cause = deeper && node.cause ? descend(node.cause, depth + 1, walk) : null;
  const parallel = deeper && Array.isArray(node.errors) ? descendParallel(node.errors, depth + 1, walk) : null;
  const own = leafOf(node, depth);
  // A name alone below (a wrapper's class) doesn't outrank a code here.
  const below = cause?.code === null && own?.code ? own : cause;
  if (parallel === null) return below ?? own;
  return below !== null && safety(below) <= safety(parallel) ? below : parallel;
}

type Words = ReadonlySet<string | null>;

function hasMark(nodes: readonly ErrorNode[], names: Words, codes: Words, domCode: string): boolean {
  return nodes.some((node) => {
    const name = classOf(node);
    // A DOMException's number counts only where no name says otherwise.
    if (String(node.code) === domCode && (name === null || name === 'DOMException')) return true;
    return names.has(name) || codes.has(textOf(node.code));
  });
}

const PLAIN_NAMES: ReadonlySet<string> = new Set(['Error', 'TypeError', 'DOMException', 'AggregateError']);

/** The outermost name, unless a deeper one says more than `Error`. */
function nameOf(nodes: readonly ErrorNode[]): string | null {
  const names = nodes.map((node) => textOf(node.name)).filter((name) => name !== null);
  return names.find((name) => !PLAIN_NAMES.has(name)) ?? names[0] ?? null;
}

/** Never throws; cycles and floods end at depth 8 and 64 nodes. */
export function normaliseNetworkError(error: ErrorNode): NetworkError {
  const walk: Walk = { nodes: [], left: NODES_MAX };
  const leaf = descend(error, 0, walk);
  const timeout = hasMark(walk.nodes, TIMEOUT_NAMES, TIMEOUT_CODES, '23');
  const codes = walk.nodes.map(codeOf).filter((code) => code !== null);
  return {
    name: nameOf(walk.nodes),
    code: leaf?.code ?? null,
    syscall: leaf?.syscall ?? null,
    phase: leaf?.phase ?? null,
    preflight: leaf?.preflight ?? false,
    notProcessed: leaf?.notProcessed ?? false,
    certificate: leaf?.certificate ?? false,
    notFound: leaf?.notFound ?? false,
    timeout,
    // `AbortSignal.timeout` shows as an abort whose cause is a TimeoutError.
    aborted: !timeout && hasMark(walk.nodes, ABORT_NAMES, ABORT_CODES, '20'),
    unreadable: walk.nodes.some((node) => UNREADABLE_NAMES.has(classOf(node))) && codes.length === 0,
    programError: leaf === null && textOf(error.name) === 'TypeError',
    codes: [...new Set(codes)],
  };
}
