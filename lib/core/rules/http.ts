import { COMMON_ROWS } from './common';
import { cell, type LocalText, type RuleCell, type RuleRow, type RuleSet } from './rule';

/**
 * Plain HTTP: the article's two tables (source document `which-errors-should-you-retry`, en) with the rulings
 * H1–H8 and A1–A13 of domain.md §5 where it is silent. `retry` and `no_retry` are what its own function answers.
 */

const STATUS_WAIT: RuleCell = cell('retry_with_limit', ['asked_or_backoff'], 'none', 'retry');
const REPLAY: RuleCell = cell('retry_with_limit', ['asked_or_backoff'], 'possible', 'retry');
const LOOK: RuleCell = cell('state_verification_required', ['asked_only', 'read_back'], 'possible', 'no_retry');
const FIX: RuleCell = cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry');
const FIX_AUTH: RuleCell = cell('fix_before_retry', ['fix_auth'], 'none', 'no_retry');

const uncovered = (base: RuleCell): RuleCell => ({ ...base, classifier: 'no_retry', flags: ['not_covered'] });
const untold = (base: RuleCell): RuleCell => ({ ...base, classifier: null });

type Ranges = NonNullable<RuleRow['match']['statuses']>;
const only = (...statuses: number[]): Ranges => statuses.map((status) => [status, status] as const);

interface Cells {
  read: RuleCell;
  write: RuleCell;
  replayable?: RuleCell;
}

function statusRow(
  id: string,
  statuses: Ranges,
  reached: RuleRow['reached'],
  cells: Cells,
  wait: RuleRow['wait'],
  condition: LocalText,
  place: string,
): RuleRow {
  const source = place.startsWith('H') ? 'ruling' : 'article';
  return {
    id,
    stage: 'status',
    match: { statuses },
    reached,
    ...cells,
    wait,
    condition,
    provenance: { source, place },
  };
}

const REFUSED: LocalText = {
  en: 'The server says that it did none of the work: too slow a request, too early, too many, or not taking traffic. Wait as told, else back off.',
  ru: 'Сервер сообщает, что ничего не сделал: запрос слишком медленный, слишком ранний, их слишком много, или он не принимает нагрузку. Выждать указанное, иначе отступать по задержкам.',
};
const MAYBE: LocalText = {
  en: 'Something broke, and nobody knows where: the work may be done. Only what can be sent twice without harm may be sent again; else look first.',
  ru: 'Что-то сломалось, и неизвестно где: работа могла быть сделана. Повторять только то, что можно отправить дважды без вреда, иначе сначала проверить.',
};
const WRONG: LocalText = {
  en: 'The answer describes the request, not the server. Sent again unchanged it fails the same way.',
  ru: 'Ответ описывает запрос, а не состояние сервера. Без изменений он снова не пройдёт.',
};

const STATUS_ROWS: readonly RuleRow[] = [
  statusRow(
    'HTTP_303',
    only(303),
    'yes',
    { read: cell('none', [], 'none'), write: cell('none', [], 'applied') },
    'useless',
    {
      en: 'The work is done and the answer is elsewhere.',
      ru: 'Работа выполнена, ответ находится по другому адресу.',
    },
    'H3',
  ),
  statusRow(
    'HTTP_304',
    only(304),
    'yes',
    { read: cell('none', [], 'none'), write: uncovered(FIX) },
    'useless',
    {
      en: 'For a read: what you have is still good. For a write this answer makes no sense.',
      ru: 'Для чтения: имеющиеся данные ещё верны. Для записи такой ответ не имеет смысла.',
    },
    'H3',
  ),
  statusRow(
    'HTTP_3XX',
    [[300, 399]],
    'unknown',
    { read: uncovered(FIX), write: uncovered(FIX) },
    'useless',
    {
      en: 'A redirect that was not followed. Nothing was done here: send to the right address.',
      ru: 'Переадресация, по которой не пошли. Здесь ничего не сделано: отправить по верному адресу.',
    },
    'H3',
  ),
  statusRow(
    'HTTP_401',
    only(401),
    'yes',
    { read: FIX_AUTH, write: FIX_AUTH },
    'useless',
    {
      en: 'Not a retry case: renew the credentials, then make one new call.',
      ru: 'Это не случай для повтора: обновить учётные данные и сделать один новый вызов.',
    },
    '401',
  ),
  statusRow('HTTP_408', only(408), 'no', { read: STATUS_WAIT, write: STATUS_WAIT }, 'asked', REFUSED, '408'),
  statusRow(
    'HTTP_409',
    only(409),
    'unknown',
    {
      read: uncovered(FIX),
      write: uncovered(cell('state_verification_required', ['asked_only', 'read_back'], 'possible')),
      replayable: uncovered(cell('state_verification_required', ['asked_only', 'read_back'], 'possible')),
    },
    'asked',
    {
      en: 'A conflict. Under a key that the server enforces the first call may still be running: wait and send the same again. Any other write: look whether an earlier try already did it.',
      ru: 'Конфликт. При ключе, который соблюдает сервер, первый вызов ещё может выполняться: подождать и отправить то же самое. Иначе проверить, не сделала ли этого прежняя попытка.',
    },
    'H2',
  ),
  statusRow('HTTP_425', only(425), 'no', { read: STATUS_WAIT, write: STATUS_WAIT }, 'asked', REFUSED, '425'),
  statusRow('HTTP_429', only(429), 'no', { read: STATUS_WAIT, write: STATUS_WAIT }, 'asked', REFUSED, '429'),
  statusRow(
    'HTTP_4XX_NAMED',
    only(400, 403, 404, 422),
    'yes',
    { read: FIX, write: FIX },
    'useless',
    WRONG,
    '400, 403, 404, 422',
  ),
  statusRow('HTTP_4XX', [[400, 499]], 'yes', { read: uncovered(FIX), write: uncovered(FIX) }, 'useless', WRONG, 'H1'),
  statusRow('HTTP_503', only(503), 'no', { read: STATUS_WAIT, write: STATUS_WAIT }, 'asked', REFUSED, '503'),
  statusRow(
    'HTTP_5XX_NAMED',
    only(500, 502, 504),
    'unknown',
    { read: { ...REPLAY, effect: 'none' }, write: LOOK, replayable: REPLAY },
    'asked',
    MAYBE,
    '500, 502, 504',
  ),
  statusRow(
    'HTTP_521_523',
    only(521, 523),
    'no',
    { read: uncovered(STATUS_WAIT), write: uncovered(STATUS_WAIT) },
    'asked',
    {
      en: 'The edge never reached the origin, so nothing was done.',
      ru: 'Пограничный сервер не достучался до источника, ничего не сделано.',
    },
    'H3',
  ),
  statusRow(
    'HTTP_5XX',
    [[500, 599]],
    'unknown',
    {
      read: uncovered({ ...REPLAY, effect: 'none' }),
      write: uncovered(LOOK),
      replayable: uncovered(REPLAY),
    },
    'asked',
    MAYBE,
    'H3',
  ),
];

const KEYED_CONFLICT: RuleRow = {
  ...statusRow(
    'HTTP_409',
    only(409),
    'unknown',
    {
      read: uncovered(FIX),
      write: uncovered(cell('retry_with_limit', ['asked_or_backoff'], 'possible')),
    },
    'asked',
    {
      en: 'A conflict under a key that the server enforces: the first call is probably still running. Wait, then send the same key and body.',
      ru: 'Конфликт при ключе, который соблюдает сервер: вероятно, первый вызов ещё выполняется. Подождать и отправить тот же ключ и то же тело.',
    },
    'H2',
  ),
  match: { statuses: only(409), sign: 'server_key' },
};

const SCENARIO_ROWS: readonly RuleRow[] = [
  {
    id: 'KEY_MISUSED',
    stage: 'scenario',
    match: { sign: 'key_used_with_other_request', examples: ['idempotency_error'] },
    reached: 'yes',
    read: untold(FIX),
    write: untold(FIX),
    wait: 'useless',
    condition: {
      en: 'The idempotency key already belongs to another request. Nothing was done: use one key for one intent.',
      ru: 'Ключ идемпотентности уже принадлежит другому запросу. Ничего не сделано: один ключ — одно намерение.',
    },
    provenance: { source: 'ruling', place: 'H2' },
  },
  {
    id: 'PARSE_ERROR',
    stage: 'scenario',
    match: { outcomes: ['parse_error'] },
    reached: 'unknown',
    read: cell('do_not_retry', ['fix_cause'], 'none'),
    write: cell('state_verification_required', ['read_back'], 'possible'),
    wait: 'useless',
    condition: {
      en: 'The answer could not be read. A read fails the same way again; a write may have been carried out.',
      ru: 'Ответ не удалось разобрать. Чтение снова не пройдёт; запись могла выполниться.',
    },
    provenance: { source: 'ruling', place: 'X17' },
  },
  {
    id: 'ERROR_UNDER_2XX',
    stage: 'scenario',
    match: { sign: 'error_in_success' },
    reached: 'yes',
    read: untold({ ...REPLAY, effect: 'none' }),
    write: untold(LOOK),
    replayable: untold(REPLAY),
    wait: 'asked',
    condition: {
      en: 'A 2xx answer with an error inside is no success: part of the work may be done.',
      ru: 'Ответ 2xx с ошибкой внутри — не успех: часть работы могла выполниться.',
    },
    provenance: { source: 'ruling', place: 'H6' },
  },
  KEYED_CONFLICT,
];

function networkRow(
  id: string,
  faults: NonNullable<RuleRow['match']['faults']>,
  examples: readonly string[],
  reached: RuleRow['reached'],
  cells: Cells,
  condition: LocalText,
  place: string,
): RuleRow {
  const source = place.startsWith('H') ? 'ruling' : 'article';
  return {
    id,
    stage: 'network',
    match: { faults, examples },
    reached,
    ...cells,
    wait: 'unspecified',
    condition,
    provenance: { source, place },
  };
}

const AGAIN: RuleCell = cell('retry_with_limit', ['backoff'], 'none');
const AGAIN_POSSIBLE: RuleCell = cell('retry_with_limit', ['backoff'], 'possible');
const LOOK_NETWORK: RuleCell = cell('state_verification_required', ['read_back'], 'possible');

const NETWORK_ROWS: readonly RuleRow[] = [
  networkRow(
    'NAME_NOT_FOUND',
    ['name_not_found'],
    ['ENOTFOUND getaddrinfo'],
    'no',
    {
      read: cell('do_not_retry', [], 'none', 'no_retry'),
      write: cell('do_not_retry', [], 'none', 'no_retry'),
    },
    {
      en: 'DNS says there is no such name. Nothing was sent, and asking again gives the same answer: fail fast.',
      ru: 'DNS отвечает, что такого имени нет. Ничего не отправлено, повторный вопрос даст тот же ответ: сразу остановиться.',
    },
    'ENOTFOUND, A1',
  ),
  networkRow(
    'CERTIFICATE',
    ['certificate'],
    ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    'no',
    {
      read: cell('fix_before_retry', ['fix_cause'], 'none'),
      write: cell('fix_before_retry', ['fix_cause'], 'none'),
    },
    {
      en: 'The certificate was not accepted, so nothing was sent. Put the certificate or the trust settings right.',
      ru: 'Сертификат не принят, ничего не отправлено. Исправить сертификат или настройки доверия.',
    },
    'H4',
  ),
  networkRow(
    'NOT_PROCESSED',
    ['not_processed'],
    ['ERR_HTTP2_STREAM_ERROR NGHTTP2_REFUSED_STREAM', 'ERR_HTTP2_GOAWAY_SESSION'],
    'no',
    { read: AGAIN, write: AGAIN },
    {
      en: 'The peer vouches that this stream was not processed. Safe to send again, a bare write too.',
      ru: 'Сервер ручается, что этот поток не обрабатывался. Можно отправить снова, в том числе обычную запись.',
    },
    'H5',
  ),
  networkRow(
    'BEFORE_SENDING',
    ['preflight'],
    [
      'ECONNREFUSED connect',
      'ETIMEDOUT connect',
      'EAI_AGAIN getaddrinfo',
      'ETIMEOUT queryA',
      'UND_ERR_CONNECT_TIMEOUT',
    ],
    'no',
    { read: AGAIN, write: AGAIN },
    {
      en: 'The failure came before any byte of the request could reach an application: safe to send again whatever the method.',
      ru: 'Сбой случился до того, как запрос мог дойти до приложения: можно отправить снова при любом методе.',
    },
    'ECONNREFUSED, ETIMEDOUT connect, EAI_AGAIN',
  ),
  networkRow(
    'ABORT_BEFORE_SENDING',
    ['abort_before_sending'],
    ['AbortError during connect'],
    'no',
    {
      read: cell('do_not_retry', [], 'none'),
      write: cell('do_not_retry', [], 'none'),
    },
    {
      en: 'The caller cancelled before the request left. Nothing was sent and nobody wants it any more.',
      ru: 'Вызывающий отменил запрос до отправки. Ничего не отправлено, и результат больше не нужен.',
    },
    'H7',
  ),
  networkRow(
    'CALLER_ABORT',
    ['caller_abort'],
    ['AbortError', 'ERR_CANCELED'],
    'unknown',
    {
      read: cell('do_not_retry', [], 'none'),
      write: cell('do_not_retry', ['read_back'], 'possible'),
    },
    {
      en: 'The caller cancelled. No automatic repeat; a write that was already on its way may have been carried out.',
      ru: 'Вызывающий отменил запрос. Без автоматического повтора; уже отправленная запись могла выполниться.',
    },
    'H7',
  ),
  networkRow(
    'TIMEOUT',
    ['timeout'],
    ['TimeoutError', 'UND_ERR_HEADERS_TIMEOUT'],
    'unknown',
    {
      read: AGAIN,
      write: LOOK_NETWORK,
      replayable: AGAIN_POSSIBLE,
    },
    {
      en: 'No answer in time says nothing about the work. Repeat only what can be sent twice without harm; else look first.',
      ru: 'Отсутствие ответа в срок ничего не говорит о работе. Повторять только то, что можно отправить дважды без вреда, иначе сначала проверить.',
    },
    'TimeoutError, A3',
  ),
  networkRow(
    'AFTER_CONNECTING',
    ['ambiguous'],
    ['ECONNRESET', 'EPIPE write', 'ETIMEDOUT read', 'UND_ERR_SOCKET'],
    'unknown',
    {
      read: AGAIN,
      write: LOOK_NETWORK,
      replayable: AGAIN_POSSIBLE,
    },
    {
      en: 'The connection was lost after it stood: the request may have been processed. Repeat only what can be sent twice without harm; else look first.',
      ru: 'Связь потеряна после установления: запрос мог быть обработан. Повторять только то, что можно отправить дважды без вреда, иначе сначала проверить.',
    },
    'ECONNRESET, EPIPE, A4',
  ),
];

const DEFAULT_ROW: RuleRow = {
  id: 'DEFAULT',
  stage: 'default',
  match: {},
  reached: 'unknown',
  read: uncovered({ ...REPLAY, effect: 'none' }),
  write: uncovered(LOOK),
  wait: 'unspecified',
  condition: {
    en: 'Not covered by any row: a read may be repeated with bounds, a write only after looking.',
    ru: 'Ни одной строкой не описано: чтение можно повторять с пределом, запись — только после проверки.',
  },
  provenance: { source: 'ruling', place: '§6 (6)' },
};

export const HTTP_2026_11_30: RuleSet = {
  name: 'http@2026-11-30',
  profile: 'http',
  edition: '2026-11-30',
  current: true,
  title: { en: 'Plain HTTP, article as read on 30 November 2026', ru: 'Обычный HTTP, статья на 30 ноября 2026' },
  codeCase: 'open',
  otherCodes: [],
  keyMode: 'server',
  keyLifeMs: 86_400_000,
  methodsReplayable: ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'],
  rows: [...COMMON_ROWS, ...SCENARIO_ROWS, ...STATUS_ROWS, ...NETWORK_ROWS, DEFAULT_ROW],
};
