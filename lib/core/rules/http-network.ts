import type { Cells } from './http-status';
import { cell, type LocalText, type RuleCell, type RuleRow } from './rule';

/** The article's network table with H4, H5 and H7 of domain.md §5: what matters is whether a byte was sent. */

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
/** The article's function knows no TimeoutError and answers no, even for a GET (A3). */
const untried = (base: RuleCell): RuleCell => ({ ...base, classifier: 'no_retry' });
const LOOK_NETWORK: RuleCell = cell('state_verification_required', ['read_back'], 'possible');

export const NETWORK_ROWS: readonly RuleRow[] = [
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
    'ECONNREFUSED, ETIMEDOUT connect; EAI_AGAIN reasoned, not observed (A7)',
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
      read: untried(AGAIN),
      write: untried(LOOK_NETWORK),
      replayable: untried(AGAIN_POSSIBLE),
    },
    {
      en: 'No answer in time says nothing about the work. Repeat only what can be sent twice without harm; else look first.',
      ru: 'Отсутствие ответа в срок ничего не говорит о работе. Повторять только то, что можно отправить дважды без вреда, иначе сначала проверить.',
    },
    'TimeoutError, A3',
  ),
  networkRow(
    'AFTER_CONNECTING',
    // A bare TypeError is what fetch reports when the cause got lost on the way.
    ['ambiguous', 'program_error'],
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
