import { COMMON_ROWS } from './common';
import { cell, type LocalText, type RuleCell, type RuleRow, type RuleSet } from './rule';
import { PLATFORM_DEFAULT_ROW } from './vibecode';

/**
 * Classic Bitrix24 REST and REST 3.0 (vendor documentation, domain.md §1.2). Codes come in mixed case and their
 * statuses moved between editions, so rows are keyed by code and letter case is ignored.
 */

const RETRY: RuleCell = cell('retry_with_limit', ['asked_or_backoff'], 'none');
const LOOK: RuleCell = cell('state_verification_required', ['asked_or_backoff', 'read_back'], 'possible');
const FIX: RuleCell = cell('fix_before_retry', ['fix_cause'], 'none');
const FIX_AUTH: RuleCell = cell('fix_before_retry', ['fix_auth'], 'none');
const STOP: RuleCell = cell('do_not_retry', ['human'], 'none');

interface Cells {
  read: RuleCell;
  write: RuleCell;
}

function row(
  id: string,
  match: RuleRow['match'],
  reached: RuleRow['reached'],
  wait: RuleRow['wait'],
  cells: Cells,
  condition: LocalText,
): RuleRow {
  const provenance = { source: 'bitrix-docs', place: 'system errors, limits' } as const;
  return { id, stage: 'code', match, reached, ...cells, wait, condition, provenance };
}

const ROWS: readonly RuleRow[] = [
  row(
    'QUERY_LIMIT_EXCEEDED',
    { codes: ['QUERY_LIMIT_EXCEEDED'] },
    'no',
    'asked',
    { read: RETRY, write: RETRY },
    {
      en: 'Too many calls from this address for this portal. The call was refused and not applied: slow down and repeat.',
      ru: 'Слишком много вызовов с этого адреса для этого портала. Вызов отклонён и не применён: снизить темп и повторить.',
    },
  ),
  row(
    'OPERATION_TIME_LIMIT',
    { codes: ['OPERATION_TIME_LIMIT'] },
    'unknown',
    'strict',
    { read: RETRY, write: LOOK },
    {
      en: 'The method used up its ten-minute time budget on this portal. Wait strictly as told; before repeating a write look for its effect.',
      ru: 'Метод исчерпал десятиминутный лимит времени на портале. Строго выждать; запись повторять только после поиска её следа.',
    },
  ),
  row(
    'SERVER_ERROR',
    { codes: ['INTERNAL_SERVER_ERROR', 'ERROR_UNEXPECTED_ANSWER'] },
    'yes',
    'unspecified',
    { read: RETRY, write: LOOK },
    {
      en: 'The portal failed while answering. A read may be repeated; a write may have been carried out, so look first.',
      ru: 'Портал дал сбой при ответе. Чтение можно повторить; запись могла выполниться, сначала проверить.',
    },
  ),
  row(
    'OVERLOAD_LIMIT',
    { codes: ['OVERLOAD_LIMIT', 'PORTAL_DELETED'] },
    'no',
    'useless',
    { read: STOP, write: STOP },
    {
      en: 'The portal is blocked or gone. Only support or its owner can change that: stop and hand over.',
      ru: 'Портал заблокирован или удалён. Изменить это может только поддержка или владелец: остановиться и передать человеку.',
    },
  ),
  row(
    'KEY_MISUSED',
    { codesContain: ['IDEMPOTENCYKEYREUSED', 'INVALIDIDEMPOTENCYKEY'] },
    'no',
    'useless',
    { read: FIX, write: FIX },
    {
      en: 'The idempotency key is malformed or already belongs to another request. Nothing was done: one key for one intent.',
      ru: 'Ключ идемпотентности неверен или уже принадлежит другому запросу. Ничего не сделано: один ключ — одно намерение.',
    },
  ),
  row(
    'REQUEST_WRONG',
    {
      codes: [
        'ERROR_METHOD_NOT_FOUND',
        'ERROR_BATCH_METHOD_NOT_ALLOWED',
        'ERROR_BATCH_LENGTH_EXCEEDED',
        'INVALID_METHOD',
        'METHOD_NOT_FOUND',
      ],
      codesContain: [
        'METHODNOTFOUND',
        'REQUESTVALIDATION',
        'INVALIDJSON',
        'INVALIDFILTER',
        'INVALIDSELECT',
        'INVALIDORDER',
        'INVALIDPAGINATION',
        'UNKNOWNDTOPROPERTY',
        'BATCHLENGTH',
      ],
    },
    'no',
    'useless',
    { read: FIX, write: FIX },
    {
      en: 'The method, the request or the length of the batch is wrong, so nothing was started. Correct it first.',
      ru: 'Неверен метод, запрос или длина пакета, поэтому ничего не запускалось. Сначала исправить.',
    },
  ),
  row(
    'AUTH',
    {
      codes: [
        'NO_AUTH_FOUND',
        'INVALID_REQUEST',
        'ACCESS_DENIED',
        'INVALID_CREDENTIALS',
        'INSUFFICIENT_SCOPE',
        'EXPIRED_TOKEN',
        'USER_ACCESS_ERROR',
        'INVALID_TOKEN',
      ],
    },
    'no',
    'useless',
    { read: FIX_AUTH, write: FIX_AUTH },
    {
      en: 'The call was turned away at the door. Renew or widen the authorization, then make one new call.',
      ru: 'Вызов не прошёл проверку доступа. Обновить или расширить авторизацию и сделать один новый вызов.',
    },
  ),
  {
    ...row(
      'AUTH',
      { statuses: [[401, 401]], sign: 'has_code' },
      'no',
      'useless',
      { read: FIX_AUTH, write: FIX_AUTH },
      {
        en: 'Any other code that came with 401: the call was turned away at the door.',
        ru: 'Любой другой код при 401: вызов не прошёл проверку доступа.',
      },
    ),
    stage: 'scenario',
  },
];

export const BITRIX_REST_2026_11_30: RuleSet = {
  name: 'bitrix_rest@2026-11-30',
  profile: 'bitrix_rest',
  edition: '2026-11-30',
  current: true,
  title: {
    en: 'Bitrix24 REST, vendor documentation as read on 30 November 2026',
    ru: 'REST Битрикс24, документация на 30 ноября 2026',
  },
  codeCase: 'ignored',
  otherCodes: [],
  keyMode: 'server',
  keyLifeMs: 86_400_000,
  methodsReplayable: [],
  rows: [
    ...COMMON_ROWS,
    ...ROWS,
    {
      ...PLATFORM_DEFAULT_ROW,
      read: { ...PLATFORM_DEFAULT_ROW.read, classifier: null },
      write: { ...PLATFORM_DEFAULT_ROW.write, classifier: null },
      provenance: { source: 'ruling', place: '§1.2, last line' },
    },
  ],
};
