import { COMMON_ROWS } from './common';
import { cell, type LocalText, type RuleCell, type RuleRow, type RuleSet, type WaitRule } from './rule';
import { VIBECODE_CONDITIONS } from './vibecode-conditions';

/**
 * Vibecode's code matrix (source documents `vibecode-what-is-safe-to-retry` en, lastmod 2026-10-22, and the older
 * Russian edition), ruled by domain.md §2 and §3 (V1–V24). Rows are keyed by code and never by status: the platform
 * answers 429 both for "wait a little" and for "never send this again".
 */

type Code = keyof typeof VIBECODE_CONDITIONS;

interface Cells {
  read: RuleCell;
  write: RuleCell;
}

const WAIT_RETRY = cell('retry_with_limit', ['asked_or_backoff'], 'none', 'retry_with_limit');
const BACKOFF_READ = cell('retry_with_limit', ['backoff'], 'none', 'retry_with_limit');
const FIX_CAUSE = cell('fix_before_retry', ['fix_cause'], 'none', 'fix_before_retry');

/** Refused before anything could be applied. */
const SAFE: Cells = { read: WAIT_RETRY, write: WAIT_RETRY };
/** May have been applied: look first, after the asked pause. */
const VERIFY: Cells = {
  read: WAIT_RETRY,
  write: cell(
    'state_verification_required',
    ['asked_or_backoff', 'read_back'],
    'possible',
    'state_verification_required',
  ),
};
/** May have been applied, and a pause proves nothing for a write. */
const VERIFY_NO_PAUSE: Cells = {
  read: BACKOFF_READ,
  write: cell('state_verification_required', ['read_back'], 'possible', 'state_verification_required'),
};

function row(
  code: Code,
  reached: RuleRow['reached'],
  wait: WaitRule,
  cells: Cells,
  more: Partial<RuleRow> = {},
): RuleRow {
  return {
    id: code,
    stage: 'code',
    match: { codes: [code] },
    reached,
    ...cells,
    wait,
    condition: VIBECODE_CONDITIONS[code],
    provenance: { source: 'vibecode-en', place: code },
    ...more,
  };
}

const AGENT_DONE: RuleRow = row(
  'AGENT_WRITE_ALREADY_EXECUTED',
  'no',
  'unspecified',
  {
    read: cell('not_applicable', [], 'none', 'retry_with_limit', ['contract_anomaly']),
    write: cell('none', [], 'applied', 'state_verification_required'),
  },
  {
    match: { codes: ['AGENT_WRITE_ALREADY_EXECUTED'], sign: 'first_status_success' },
    condition: {
      en: 'The second DELETE was stopped because the first one succeeded: the operation is done and a duplicate was prevented.',
      ru: 'Второй DELETE остановлен, потому что первый удался: операция выполнена, дубль предотвращён.',
    },
    provenance: { source: 'vibecode-en', place: 'AGENT_WRITE_ALREADY_EXECUTED, V7' },
  },
);

const CODE_ROWS: readonly RuleRow[] = [
  row('QUEUE_OVERFLOW', 'no', 'asked', SAFE),
  row('QUEUE_TIMEOUT', 'no', 'asked', SAFE),
  row('RATE_LIMITED', 'unknown', 'asked', SAFE),
  row('CALLER_RATE_LIMITED', 'no', 'asked', SAFE),
  row('OPERATION_TIME_LIMIT', 'unknown', 'strict', VERIFY),
  row('TIMEOUT_QUARANTINE', 'no', 'strict', SAFE),
  row('BITRIX_TIMEOUT', 'yes', 'unspecified', VERIFY),
  row('BITRIX_ERROR', 'yes', 'useless', {
    read: FIX_CAUSE,
    write: cell('do_not_retry', ['fix_cause', 'human'], 'doubtful', 'fix_before_retry', ['verify_if_questionable']),
  }),
  row('BITRIX_UNAVAILABLE', 'unknown', 'unspecified', {
    read: BACKOFF_READ,
    write: cell('state_verification_required', ['backoff', 'read_back'], 'possible', 'state_verification_required'),
  }),
  row('POOL_EXHAUSTED', 'unknown', 'asked', VERIFY),
  row('DB_TRANSIENT', 'unknown', 'asked', VERIFY),
  row('SERVICE_UNAVAILABLE', 'unknown', 'asked', VERIFY),
  row('TOKEN_REFRESH_FAILED', 'no', 'useless', {
    read: cell('fix_before_retry', ['fix_auth'], 'none', 'fix_before_retry'),
    write: cell('fix_before_retry', ['fix_auth'], 'none', 'fix_before_retry'),
  }),
  row('ERROR_LOOP_DETECTED', 'no', 'useless', {
    read: FIX_CAUSE,
    write: cell('do_not_retry', ['fix_cause', 'human'], 'none', 'fix_before_retry'),
  }),
  row('BH_APP_STARTING', 'unknown', 'asked', VERIFY, { hop: 'app' }),
  row('BH_APP_TIMEOUT', 'unknown', 'never_announced', VERIFY_NO_PAUSE, { hop: 'app' }),
  row('BH_APP_CONNECTION_LOST', 'unknown', 'never_announced', VERIFY_NO_PAUSE, { hop: 'app' }),
  AGENT_DONE,
  row('AGENT_WRITE_ALREADY_EXECUTED', 'no', 'unspecified', {
    read: cell('not_applicable', [], 'none', 'retry_with_limit', ['contract_anomaly']),
    // This DELETE did nothing; the first one is what nobody can vouch for (V9).
    write: cell('state_verification_required', ['read_back'], 'none', 'state_verification_required'),
  }),
  row('LARGE_BODY_BACKEND_BUSY', 'no', 'asked', SAFE),
];

/** X3: the shape an application's own 504 takes on its way out. */
const BARE_504: RuleRow = row('BH_APP_TIMEOUT', 'unknown', 'never_announced', VERIFY_NO_PAUSE, {
  stage: 'scenario',
  match: { statuses: [[504, 504]], sign: 'no_content_type' },
  hop: 'app',
  provenance: { source: 'vibecode-en', place: 'BH_APP_TIMEOUT, X3' },
});

const DEFAULT_CONDITION: LocalText = {
  en: 'A code this edition does not know, an answer without the platform envelope, or no answer at all. A read may be repeated with bounded backoff; a write only after its effect was looked for, even when the connection was refused.',
  ru: 'Код, которого эта редакция не знает, ответ без конверта платформы или его отсутствие. Чтение можно повторять с ограниченной задержкой, запись — только после поиска её следа, даже если в соединении отказано.',
};

/** Also the default of `bitrix_rest` (domain.md §1.2). */
export const PLATFORM_DEFAULT_ROW: RuleRow = {
  id: 'DEFAULT',
  stage: 'default',
  match: {},
  reached: 'unknown',
  read: WAIT_RETRY,
  write: cell('state_verification_required', ['asked_only', 'read_back'], 'possible', 'state_verification_required'),
  wait: 'unspecified',
  condition: DEFAULT_CONDITION,
  provenance: { source: 'vibecode-en', place: 'after the classifier example, V10–V12' },
};

const OTHER_CODES = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'INVALID_APP_KEY',
  'TOKEN_EXPIRED',
  'KEY_REVOKED',
  'ENTITY_NOT_FOUND',
  'MISSING_ENTITY_ID',
  'VALIDATION_ERROR',
  'SCOPE_DENIED',
  'BATCH_TOO_LARGE',
];

export const VIBECODE_2026_10_22: RuleSet = {
  name: 'vibecode@2026-10-22',
  profile: 'vibecode',
  edition: '2026-10-22',
  current: true,
  title: { en: 'Vibecode, English edition of 22 October 2026', ru: 'Вайбкод, английская редакция от 22 октября 2026' },
  codeCase: 'exact',
  otherCodes: OTHER_CODES,
  keyMode: 'none',
  keyLifeMs: 0,
  methodsReplayable: [],
  rows: [...COMMON_ROWS, ...CODE_ROWS, BARE_504, PLATFORM_DEFAULT_ROW],
};

const NOT_IN_OLDER: ReadonlySet<string> = new Set([
  'CALLER_RATE_LIMITED',
  'BH_APP_CONNECTION_LOST',
  'AGENT_WRITE_ALREADY_EXECUTED',
]);

const OLDER_APP_TIMEOUT: LocalText = {
  en: 'The gateway stopped waiting: 30 s passed without a frame, or an answer that had begun fell silent for 15 s. The application did not refuse; it may or may not have received the request. There is no Retry-After and a pause does not make a repeat safe.',
  ru: 'Шлюз перестал ждать: 30 с не было ни одного кадра либо начатый ответ молчал дольше 15 с. Приложение не отказывало и могло как получить запрос, так и не получить его. Retry-After нет, пауза не делает повтор безопасным.',
};

function olderRow(current: RuleRow): RuleRow {
  const older: RuleRow = { ...current, provenance: { ...current.provenance, source: 'vibecode-ru-older' } };
  return current.id === 'BH_APP_TIMEOUT' ? { ...older, condition: OLDER_APP_TIMEOUT } : older;
}

export const VIBECODE_OLDER_RU: RuleSet = {
  ...VIBECODE_2026_10_22,
  name: 'vibecode@older-ru',
  edition: 'older-ru',
  current: false,
  title: { en: 'Vibecode, older Russian edition (16 codes)', ru: 'Вайбкод, прежняя русская редакция (16 кодов)' },
  rows: [
    ...COMMON_ROWS,
    ...CODE_ROWS.filter((known) => !NOT_IN_OLDER.has(known.id)).map(olderRow),
    olderRow(PLATFORM_DEFAULT_ROW),
  ],
};
