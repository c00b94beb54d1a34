import { cell, type LocalText, type RuleCell, type RuleRow } from './rule';

/**
 * The article's status table with H1–H3 of domain.md §5 for what it doesn't speak of.
 * `retry` and `no_retry` are what its own function answers.
 */

const STATUS_WAIT: RuleCell = cell('retry_with_limit', ['asked_or_backoff'], 'none', 'retry');
export const REPLAY: RuleCell = cell('retry_with_limit', ['asked_or_backoff'], 'possible', 'retry');
export const LOOK: RuleCell = cell('state_verification_required', ['asked_only', 'read_back'], 'possible', 'no_retry');
export const FIX: RuleCell = cell('fix_before_retry', ['fix_cause'], 'none', 'no_retry');
const FIX_AUTH: RuleCell = cell('fix_before_retry', ['fix_auth'], 'none', 'no_retry');

export const uncovered = (base: RuleCell): RuleCell => ({ ...base, classifier: 'no_retry', flags: ['not_covered'] });
export const untold = (base: RuleCell): RuleCell => ({ ...base, classifier: null });

type Ranges = NonNullable<RuleRow['match']['statuses']>;
const only = (...statuses: number[]): Ranges => statuses.map((status) => [status, status] as const);

export interface Cells {
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

export const STATUS_ROWS: readonly RuleRow[] = [
  statusRow(
    'HTTP_303',
    only(303),
    // H8 names 2xx and 4xx as reached, nothing else.
    'unknown',
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
    'unknown',
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
  ...[400, 403, 404, 422].map((status) =>
    statusRow(`HTTP_${status}`, only(status), 'yes', { read: FIX, write: FIX }, 'useless', WRONG, String(status)),
  ),
  statusRow('HTTP_4XX', [[400, 499]], 'yes', { read: uncovered(FIX), write: uncovered(FIX) }, 'useless', WRONG, 'H1'),
  statusRow('HTTP_503', only(503), 'no', { read: STATUS_WAIT, write: STATUS_WAIT }, 'asked', REFUSED, '503'),
  ...[500, 502, 504].map((status) =>
    statusRow(
      `HTTP_${status}`,
      only(status),
      'unknown',
      { read: { ...REPLAY, effect: 'none' }, write: LOOK, replayable: REPLAY },
      'asked',
      MAYBE,
      String(status),
    ),
  ),
  ...[521, 523].map((status) =>
    statusRow(
      `HTTP_${status}`,
      only(status),
      'no',
      { read: uncovered(STATUS_WAIT), write: uncovered(STATUS_WAIT) },
      'asked',
      {
        en: 'The edge never reached the origin, so nothing was done.',
        ru: 'Пограничный сервер не достучался до источника, ничего не сделано.',
      },
      'H3',
    ),
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

export const KEYED_CONFLICT: RuleRow = {
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
