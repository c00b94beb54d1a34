import { COMMON_ROWS } from './common';
import { cell, type RuleRow, type RuleSet } from './rule';

/** QuillHub's retry guide (source document `quillhub-retries`, ru), ruled by domain.md §4 (Q1–Q19). */

const AFTER_SENDING = cell('state_verification_required', ['asked_only', 'read_back'], 'possible', 'retry');
const READ_AGAIN = cell('retry_with_limit', ['asked_or_backoff'], 'none', 'retry');
const READ_AGAIN_UNTOLD = { ...READ_AGAIN, classifier: null };
const AFTER_SENDING_UNTOLD = { ...AFTER_SENDING, classifier: null };

function serverErrorRow(id: string, statuses: RuleRow['match']['statuses'], unlikely: boolean): RuleRow {
  const flags = unlikely ? (['unlikely_transient'] as const) : undefined;
  return {
    id,
    stage: 'scenario',
    match: { statuses },
    reached: 'unknown',
    read: flags ? { ...READ_AGAIN, flags } : READ_AGAIN,
    write: flags ? { ...AFTER_SENDING, flags } : AFTER_SENDING,
    wait: 'unspecified',
    condition: unlikely
      ? {
          en: 'Counted as a server error like any other, though this status rarely goes away by itself.',
          ru: 'Считается обычной ошибкой сервера, хотя такой статус редко проходит сам.',
        }
      : {
          en: 'The server failed. Repeat a read with exponential backoff and full jitter; before repeating a creation look for a job with the same metadata.idempotency_key.',
          ru: 'Сбой сервера. Чтение повторять с экспоненциальной задержкой и полным jitter; перед повтором создания искать задачу с тем же metadata.idempotency_key.',
        },
    provenance: { source: 'quillhub', place: unlikely ? '5xx, Q15' : '5xx, Q7' },
  };
}

/** In order: the first row that fits decides. */
const ROWS: readonly RuleRow[] = [
  {
    id: 'PARSE_ERROR',
    stage: 'scenario',
    match: { outcomes: ['parse_error'] },
    reached: 'unknown',
    read: cell('do_not_retry', ['fix_cause'], 'none', 'no_retry'),
    write: cell('state_verification_required', ['read_back'], 'possible', 'no_retry'),
    wait: 'useless',
    condition: {
      en: 'The answer was not valid JSON: a bug, or a proxy that put HTML in. Log it and stop; a write may have been carried out before its answer got lost.',
      ru: 'Ответ — не JSON: ошибка сервиса или прокси, вставивший HTML. Записать в журнал и остановиться; запись могла выполниться до потери ответа.',
    },
    provenance: { source: 'quillhub', place: 'parse error, X17' },
  },
  {
    id: 'HTTP_429',
    stage: 'scenario',
    match: { statuses: [[429, 429]] },
    reached: 'no',
    read: cell('retry_with_limit', ['asked_or_backoff'], 'none', 'no_retry'),
    write: cell('retry_with_limit', ['asked_or_backoff'], 'none', 'no_retry'),
    wait: 'asked',
    waitMsMin: 1000,
    retriesMax: 1,
    condition: {
      en: 'Refused by rate. Wait as told, else at least one second, and try once more, outside the backoff loop.',
      ru: 'Отказ по частоте. Выждать указанное время, иначе не меньше секунды, и повторить один раз вне общей петли задержек.',
    },
    provenance: { source: 'quillhub', place: '429, Q1' },
  },
  {
    id: 'HTTP_401',
    stage: 'scenario',
    match: { statuses: [[401, 401]] },
    reached: 'yes',
    read: cell('fix_before_retry', ['fix_auth'], 'none', 'no_retry'),
    write: cell('fix_before_retry', ['fix_auth'], 'none', 'no_retry'),
    wait: 'useless',
    condition: {
      en: 'The key was not accepted. Stop and put the key right; the same request is refused again.',
      ru: 'Ключ не принят. Остановиться и исправить ключ: тот же запрос снова будет отклонён.',
    },
    provenance: { source: 'quillhub', place: '4xx' },
  },
  ...[408, 425].map((status): RuleRow => ({
    id: `HTTP_${status}`,
    stage: 'scenario',
    match: { statuses: [[status, status]] },
    // H8 counts these as not reached; QuillHub still never repeats a 4xx (X8).
    reached: 'no',
    read: cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry'),
    write: cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry'),
    wait: 'useless',
    condition: {
      en: 'Taken as a client error like every 4xx here: show the code and stop. Other rule sets would repeat it.',
      ru: 'Считается ошибкой клиента, как любой 4xx здесь: показать код и остановиться. Другие правила разрешили бы повтор.',
    },
    provenance: { source: 'quillhub', place: '4xx, X8' },
  })),
  {
    id: 'HTTP_409',
    stage: 'scenario',
    match: { statuses: [[409, 409]] },
    reached: 'unknown',
    read: cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry'),
    write: cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry'),
    wait: 'useless',
    condition: {
      en: 'The request contradicts what is there. The same request fails again: look, repair, stop.',
      ru: 'Запрос противоречит имеющемуся. Тот же запрос снова не пройдёт: посмотреть, исправить, остановиться.',
    },
    provenance: { source: 'quillhub', place: '4xx' },
  },
  {
    id: 'HTTP_4XX',
    stage: 'scenario',
    match: { statuses: [[400, 499]] },
    reached: 'yes',
    read: cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry'),
    write: cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry'),
    wait: 'useless',
    condition: {
      en: 'The server says the request itself is wrong. Branch on error.code, show it, stop.',
      ru: 'Сервер сообщает, что неверен сам запрос. Разобрать error.code, показать его и остановиться.',
    },
    provenance: { source: 'quillhub', place: '4xx' },
  },
  serverErrorRow(
    'HTTP_5XX_UNLIKELY',
    [
      [501, 501],
      [505, 505],
      [511, 511],
    ],
    true,
  ),
  {
    ...serverErrorRow(
      'HTTP_5XX_REFUSED',
      [
        [503, 503],
        [521, 521],
        [523, 523],
      ],
      false,
    ),
    reached: 'no',
  },
  serverErrorRow('HTTP_5XX', [[500, 599]], false),
  {
    id: 'ERROR_UNDER_2XX',
    stage: 'scenario',
    match: { sign: 'error_in_success' },
    reached: 'yes',
    read: READ_AGAIN_UNTOLD,
    write: AFTER_SENDING_UNTOLD,
    wait: 'unspecified',
    condition: {
      en: 'A 2xx answer with an error inside is no success: part of the work may be done.',
      ru: 'Ответ 2xx с ошибкой внутри — не успех: часть работы могла выполниться.',
    },
    provenance: { source: 'ruling', place: 'H6' },
  },
  {
    id: 'NETWORK_BEFORE_SENDING',
    stage: 'scenario',
    match: {
      faults: ['name_not_found', 'preflight', 'not_processed', 'certificate', 'abort_before_sending'],
      examples: ['ECONNREFUSED connect', 'ENOTFOUND getaddrinfo', 'EAI_AGAIN getaddrinfo', 'ETIMEDOUT connect'],
    },
    reached: 'no',
    read: cell('retry_with_limit', ['backoff'], 'none'),
    write: cell('retry_with_limit', ['backoff'], 'none'),
    wait: 'unspecified',
    condition: {
      en: 'The connection failed before the request left, a name that could not be found included. Nothing was sent.',
      ru: 'Соединение не состоялось до отправки запроса, в том числе когда имя не найдено. Ничего не отправлено.',
    },
    provenance: { source: 'quillhub', place: 'network/timeout, Q4, Q6' },
  },
  {
    id: 'NETWORK_AFTER_SENDING',
    stage: 'scenario',
    match: { faults: ['ambiguous', 'timeout', 'caller_abort'], examples: ['ECONNRESET', 'TimeoutError', 'AbortError'] },
    reached: 'unknown',
    read: cell('retry_with_limit', ['backoff'], 'none'),
    write: cell('state_verification_required', ['read_back'], 'possible'),
    wait: 'unspecified',
    condition: {
      en: 'The connection broke or the client stopped waiting after sending. A creation may have been accepted: list the jobs and look for its metadata.idempotency_key before sending again.',
      ru: 'Связь оборвалась или клиент перестал ждать после отправки. Создание могло быть принято: перед повтором найти в списке задач её metadata.idempotency_key.',
    },
    provenance: { source: 'quillhub', place: 'network/timeout, duplicates section' },
  },
  {
    id: 'DEFAULT',
    stage: 'default',
    match: {},
    reached: 'unknown',
    read: { ...READ_AGAIN_UNTOLD, flags: ['not_covered'] },
    write: { ...AFTER_SENDING_UNTOLD, flags: ['not_covered'] },
    wait: 'unspecified',
    condition: {
      en: 'Not spoken of by the guide: a read may be repeated with bounds, a write only after looking.',
      ru: 'В руководстве не описано: чтение можно повторять с пределом, запись — только после проверки.',
    },
    provenance: { source: 'ruling', place: '§6 (6)' },
  },
];

export const QUILLHUB_2026_11_30: RuleSet = {
  name: 'quillhub@2026-11-30',
  profile: 'quillhub',
  edition: '2026-11-30',
  current: true,
  title: {
    en: 'QuillHub, retry guide as read on 30 November 2026',
    ru: 'QuillHub, руководство по повторам на 30 ноября 2026',
  },
  codeCase: 'open',
  otherCodes: [],
  keyMode: 'client_dedupe',
  keyLifeMs: 0,
  methodsReplayable: [],
  example: { codes: ['ETIMEDOUT', 'ECONNRESET'], names: ['TypeError'], preflightSyscalls: null },
  rows: [...COMMON_ROWS, ...ROWS],
};
