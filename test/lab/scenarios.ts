import type { Profile } from '@/lib/core/attempt';
import type { Compliance, OperationState } from '@/lib/core/operation';
import type { Action, Effect, Phase } from '@/lib/core/verdict';
import type { ClientName, LabCall } from './lab-clients';
import type { Step } from './lab-server';

/**
 * How the application means and sends it: a read; a write repeated only where that is safe; a write repeated
 * whatever happened; a write under a key that the server honours, repeated freely.
 */
export const VARIANTS = ['read', 'careful', 'blind', 'keyed'] as const;
export type Variant = (typeof VARIANTS)[number];

/** What Readback must say of the first send, and of the operation once it is over. */
export interface Expectation {
  action: Action;
  effect: Effect;
  /** One of these: libraries name one event differently. */
  codes: string[];
  phases?: Phase[];
  compliance?: Compliance;
  state: OperationState;
  review: boolean;
}

export interface Scenario {
  name: string;
  steps: Step[];
  profile?: Profile;
  /** `closed` = nobody listens there. */
  server?: 'honours_keys' | 'ignores_keys' | 'closed';
  clients?: ClientName[];
  variants: Variant[];
  call?: Partial<LabCall>;
  /** `sends` = how often the client really asked: libraries differ in what they repeat by themselves. */
  expect: (variant: Variant, sends: number) => Expectation;
}

const OK: Step = { do: 'answer', status: 201, work: true };
const RESET_CODES = ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'];
const TIMEOUT_CODES = ['TimeoutError', 'ETIMEDOUT', 'ECONNABORTED', 'TIMEOUT'];

function envelope(code: string, extra: Record<string, unknown> = {}): string {
  return JSON.stringify({ success: false, error: { code, message: code.toLowerCase(), ...extra } });
}

/** Refused before any work: a later success is clean, whatever the variant. */
function refusedThenFine(codes: string[], compliance: Compliance): Scenario['expect'] {
  return () => ({ action: 'retry_with_limit', effect: 'none', codes, compliance, state: 'succeeded', review: false });
}

/** The first send may have worked; the second succeeds where there is one. */
function unclearThenFine(codes: string[], phases?: Phase[]): Scenario['expect'] {
  return (variant, sends) => {
    const common = { codes, ...(phases && { phases }) };
    const repeated = sends > 1;
    switch (variant) {
      case 'read':
        return {
          ...common,
          action: 'retry_with_limit',
          effect: 'none',
          state: repeated ? 'succeeded' : 'failed',
          review: false,
        };
      case 'keyed':
        return {
          ...common,
          action: 'retry_with_limit',
          effect: 'possible',
          state: repeated ? 'succeeded' : 'unresolved',
          review: !repeated,
        };
      case 'careful':
      case 'blind':
        return {
          ...common,
          action: 'state_verification_required',
          effect: 'possible',
          state: repeated ? 'succeeded_with_possible_duplicates' : 'unresolved',
          review: true,
        };
    }
  };
}

const ALL: Variant[] = ['read', 'careful', 'blind', 'keyed'];
/** Long enough for a busy machine to answer in, short enough for a lab. */
const SHORT = { timeoutMs: 900 };

const THROTTLES: Scenario[] = [
  {
    name: '429 with seconds',
    steps: [{ do: 'answer', status: 429, work: false, headers: { 'retry-after': '1' } }, OK],
    variants: ALL,
    expect: refusedThenFine(['HTTP_429'], 'honoured'),
  },
  {
    name: '503 with a date',
    steps: [{ do: 'throttle_until', status: 503, inMs: 2_000 }, OK],
    variants: ALL,
    expect: refusedThenFine(['HTTP_503'], 'honoured'),
  },
  {
    name: '429 with garbage',
    steps: [{ do: 'answer', status: 429, work: false, headers: { 'retry-after': 'soon' } }, OK],
    variants: ALL,
    expect: refusedThenFine(['HTTP_429'], 'unusable_header'),
  },
  {
    name: '503 with seconds, client in a hurry',
    steps: [{ do: 'answer', status: 503, work: false, headers: { 'retry-after': '2' } }, OK],
    variants: ['read', 'blind'],
    call: { hastyDelayMs: 120 },
    expect: refusedThenFine(['HTTP_503'], 'early'),
  },
  {
    name: 'QuillHub 429',
    profile: 'quillhub',
    steps: [{ do: 'answer', status: 429, work: false, headers: { 'retry-after': '1' } }, OK],
    variants: ['read', 'careful'],
    expect: refusedThenFine(['HTTP_429'], 'honoured'),
  },
  {
    name: 'Vibecode QUEUE_TIMEOUT',
    profile: 'vibecode',
    steps: [
      {
        do: 'answer',
        status: 504,
        work: false,
        headers: { 'retry-after': '1' },
        body: envelope('QUEUE_TIMEOUT', { retryAfter: 1 }),
      },
      OK,
    ],
    variants: ['read', 'blind'],
    expect: refusedThenFine(['QUEUE_TIMEOUT'], 'honoured'),
  },
];

const BROKEN: Scenario[] = [
  {
    name: 'reset before the work',
    steps: [{ do: 'reset', work: false }, OK],
    variants: ALL,
    expect: unclearThenFine(RESET_CODES),
  },
  {
    name: 'reset after the work',
    steps: [{ do: 'reset', work: true }, OK],
    variants: ALL,
    expect: unclearThenFine(RESET_CODES),
  },
  {
    name: 'closed without a word after the work',
    steps: [{ do: 'close', work: true }, OK],
    variants: ALL,
    expect: unclearThenFine(RESET_CODES),
  },
  {
    name: 'hang after the work',
    steps: [{ do: 'hang', work: true }, OK],
    variants: ALL,
    call: SHORT,
    expect: unclearThenFine(TIMEOUT_CODES),
  },
  {
    name: 'hang without any work',
    steps: [{ do: 'hang', work: false }, OK],
    variants: ['careful', 'blind'],
    call: SHORT,
    expect: unclearThenFine(TIMEOUT_CODES),
  },
  {
    name: 'body cut after the head',
    steps: [{ do: 'cut', status: 200, work: true }, OK],
    variants: ALL,
    call: { blind: true },
    expect: unclearThenFine([...RESET_CODES, 'ERR_BAD_RESPONSE', 'ERR_HTTP_CONTENT_LENGTH_MISMATCH'], ['reading_body']),
  },
  {
    name: 'closed in the upload',
    steps: [{ do: 'close_in_upload' }, OK],
    variants: ['careful', 'blind', 'keyed'],
    call: { uploadBytes: 4_000_000, timeoutMs: 4_000 },
    expect: unclearThenFine(RESET_CODES),
  },
];

const ANSWERS: Scenario[] = [
  {
    name: 'clean success',
    steps: [OK],
    variants: ALL,
    expect: (variant) => ({
      action: 'none',
      effect: variant === 'read' ? 'none' : 'applied',
      codes: ['HTTP_201'],
      phases: ['complete'],
      state: 'succeeded',
      review: false,
    }),
  },
  {
    name: '504 late, after the work',
    steps: [{ do: 'answer', status: 504, work: true, lateMs: 150 }, OK],
    variants: ALL,
    expect: unclearThenFine(['HTTP_504'], ['complete']),
  },
  {
    name: 'Vibecode BITRIX_TIMEOUT after the work',
    profile: 'vibecode',
    steps: [{ do: 'answer', status: 504, work: true, body: envelope('BITRIX_TIMEOUT') }, OK],
    variants: ['read', 'careful', 'blind'],
    expect: unclearThenFine(['BITRIX_TIMEOUT'], ['complete']),
  },
  {
    name: '400',
    steps: [{ do: 'answer', status: 400, work: false, body: envelope('validation_failed') }],
    variants: ['read', 'careful'],
    expect: () => ({
      action: 'fix_before_retry',
      effect: 'none',
      codes: ['validation_failed', 'HTTP_400'],
      state: 'failed',
      review: false,
    }),
  },
  {
    name: 'page of a proxy under 200',
    steps: [
      { do: 'answer', status: 200, work: true, body: '<html>hello</html>', headers: { 'content-type': 'text/html' } },
    ],
    // axios swallows what it can't parse, so its hooks see a success.
    clients: ['fetch', 'got'],
    variants: ['careful'],
    call: { attemptsMax: 1 },
    expect: () => ({
      action: 'state_verification_required',
      effect: 'possible',
      codes: ['PARSE_ERROR', 'HTTP_200', 'ERR_BODY_PARSE_FAILURE'],
      state: 'unresolved',
      review: true,
    }),
  },
  {
    name: '504 under a key the server ignores',
    server: 'ignores_keys',
    steps: [{ do: 'answer', status: 504, work: true }, OK],
    variants: ['keyed'],
    call: { keyMode: 'none' },
    expect: () => ({
      action: 'state_verification_required',
      effect: 'possible',
      codes: ['HTTP_504'],
      state: 'succeeded_with_possible_duplicates',
      review: true,
    }),
  },
];

const REFUSED: Scenario[] = [
  {
    name: 'refused',
    server: 'closed',
    steps: [],
    variants: ['read', 'careful', 'keyed'],
    expect: () => ({
      action: 'retry_with_limit',
      effect: 'none',
      codes: ['ECONNREFUSED'],
      phases: ['connect'],
      state: 'failed',
      review: false,
    }),
  },
  {
    name: 'refused under Vibecode',
    server: 'closed',
    profile: 'vibecode',
    steps: [],
    variants: ['careful'],
    call: { attemptsMax: 1 },
    expect: () => ({
      action: 'state_verification_required',
      effect: 'possible',
      codes: ['ECONNREFUSED'],
      phases: ['connect'],
      state: 'unresolved',
      review: true,
    }),
  },
];

/** Every case with its own verdicts. */
export const SCENARIOS: Scenario[] = [...THROTTLES, ...BROKEN, ...ANSWERS, ...REFUSED];
