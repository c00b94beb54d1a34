import { COMMON_ROWS } from './common';
import { NETWORK_ROWS } from './http-network';
import { FIX, KEYED_CONFLICT, LOOK, REPLAY, STATUS_ROWS, uncovered, untold } from './http-status';
import { cell, type RuleRow, type RuleSet } from './rule';

/**
 * Plain HTTP: the article's two tables (source document `which-errors-should-you-retry`, en) with the rulings
 * H1–H8 and A1–A13 of domain.md §5 where it is silent.
 */

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
  example: {
    codes: ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'],
    names: [],
    preflightSyscalls: ['connect', 'getaddrinfo'],
  },
  rows: [...COMMON_ROWS, ...SCENARIO_ROWS, KEYED_CONFLICT, ...STATUS_ROWS, ...NETWORK_ROWS, DEFAULT_ROW],
};
