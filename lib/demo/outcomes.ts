import type { Random } from './random';
import type { SendOutcome } from './story';

/** Answers and failures as platforms word them; some speak Russian, some English. */

export function succeed(lastsMs: number, status = 200): SendOutcome {
  return { lastsMs, status, outcome: 'success' };
}

interface Refusal {
  status: number;
  messages: readonly string[];
  /** Seconds asked by header and body. */
  retryAfter?: readonly number[];
  lastsMs: number;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  RATE_LIMITED: {
    status: 429,
    messages: ['QUERY_LIMIT_EXCEEDED', 'Превышен лимит запросов к порталу'],
    retryAfter: [2, 2, 3, 5],
    lastsMs: 40,
  },
  CALLER_RATE_LIMITED: {
    status: 429,
    messages: ['The minute budget of this key is used up'],
    retryAfter: [12, 20, 31, 44],
    lastsMs: 25,
  },
  QUEUE_OVERFLOW: { status: 503, messages: ['Очередь портала переполнена'], retryAfter: [5, 10], lastsMs: 60 },
  QUEUE_TIMEOUT: {
    status: 504,
    messages: ['The call waited more than 30 s in the queue and was taken out'],
    retryAfter: [30],
    lastsMs: 30_200,
  },
  TIMEOUT_QUARANTINE: {
    status: 429,
    messages: ['Calls are paused after a timeout'],
    retryAfter: [20, 40],
    lastsMs: 30,
  },
  OPERATION_TIME_LIMIT: {
    status: 429,
    messages: ['Метод исчерпал отведённое время на портале'],
    retryAfter: [90, 180, 320],
    lastsMs: 3_100,
  },
  BITRIX_TIMEOUT: {
    status: 504,
    messages: ['Портал не ответил за 30 секунд', 'The portal gave no answer within 30 s'],
    lastsMs: 30_050,
  },
  BITRIX_UNAVAILABLE: { status: 502, messages: ['Bitrix24 answered 502', 'Портал недоступен'], lastsMs: 900 },
  SERVICE_UNAVAILABLE: {
    status: 503,
    messages: ['The backend did not confirm the end of its work'],
    retryAfter: [5, 15],
    lastsMs: 15_000,
  },
  DB_TRANSIENT: { status: 503, messages: ['Temporary database failure'], retryAfter: [1, 2], lastsMs: 700 },
  POOL_EXHAUSTED: { status: 503, messages: ['No free connection'], retryAfter: [2], lastsMs: 5_000 },
  BITRIX_ERROR: {
    status: 422,
    messages: ['Не заполнено обязательное поле «Стадия»', 'Access to this deal category is denied'],
    lastsMs: 260,
  },
  TOKEN_REFRESH_FAILED: { status: 401, messages: ['The token could not be renewed'], lastsMs: 480 },
  ERROR_LOOP_DETECTED: { status: 429, messages: ['The same error keeps coming back; calls are stopped'], lastsMs: 20 },
  BH_APP_STARTING: { status: 503, messages: ['The app is starting'], retryAfter: [3, 5], lastsMs: 2_000 },
  BH_APP_TIMEOUT: { status: 504, messages: ['The app did not answer in time'], lastsMs: 14_020 },
  BH_APP_CONNECTION_LOST: { status: 502, messages: ['The connection to the app broke'], lastsMs: 3_300 },
  QUERY_LIMIT_EXCEEDED: { status: 503, messages: ['Too many requests'], lastsMs: 35 },
  INTERNAL_SERVER_ERROR: { status: 500, messages: ['Internal server error'], lastsMs: 1_200 },
};

export type PlatformCode = keyof typeof REFUSALS;

/** A platform's own error. `retryAfter` is what the header asks, in seconds; null asks nothing. */
export function refuse(
  random: Random,
  code: PlatformCode,
  asked?: number | null,
): SendOutcome & { askedMs: number | null } {
  const refusal = REFUSALS[code];
  if (!refusal) return { lastsMs: 50, status: 500, code, askedMs: null };
  const drawn = refusal.retryAfter ? random.pick(refusal.retryAfter) : null;
  const seconds = asked === undefined ? drawn : asked;
  const fixed = refusal.lastsMs >= 10_000;
  return {
    lastsMs: fixed ? refusal.lastsMs + random.int(0, 120) : random.latencyMs(refusal.lastsMs),
    outcome: 'http_error',
    status: refusal.status,
    code,
    message: random.pick(refusal.messages),
    ...(seconds !== null && { retryAfter: String(seconds), retryAfterBody: seconds }),
    askedMs: seconds === null ? null : seconds * 1000,
  };
}

/** An HTTP status without an envelope. */
export function answerStatus(lastsMs: number, status: number, retryAfter?: string): SendOutcome {
  return { lastsMs, status, outcome: 'http_error', ...(retryAfter !== undefined && { retryAfter }) };
}

export function resetByPeer(lastsMs: number): SendOutcome {
  return {
    lastsMs,
    outcome: 'network_error',
    error: {
      name: 'TypeError',
      message: 'fetch failed',
      cause: { name: 'Error', code: 'ECONNRESET', syscall: 'read', message: 'read ECONNRESET' },
    },
  };
}

export function refuseConnection(lastsMs: number): SendOutcome {
  return {
    lastsMs,
    outcome: 'network_error',
    error: { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect', message: 'connect ECONNREFUSED' },
  };
}

export function timeOut(lastsMs: number): SendOutcome {
  return {
    lastsMs,
    outcome: 'timeout',
    abortBy: 'per_try',
    error: { name: 'TimeoutError', code: 23, message: 'The operation was aborted due to timeout' },
  };
}

export function cutBody(lastsMs: number): SendOutcome {
  return {
    lastsMs,
    status: 200,
    outcome: 'network_error',
    error: {
      name: 'TypeError',
      message: 'terminated',
      cause: { name: 'SocketError', code: 'UND_ERR_SOCKET', message: 'other side closed' },
    },
  };
}
