import { cell, type RuleRow } from './rule';

/** Rows that every profile shares: what a success is, and what only looks like one (domain.md §4, §5 H6, §6, V13). */

const SUCCESS_ROW: RuleRow = {
  id: 'SUCCESS',
  stage: 'success',
  match: { sign: 'whole_success', statuses: [[200, 299]] },
  reached: 'yes',
  read: cell('none', [], 'none'),
  write: cell('none', [], 'applied'),
  wait: 'useless',
  condition: {
    en: 'A 2xx answer that arrived whole, with no error inside and no failed item.',
    ru: 'Ответ 2xx, полученный целиком, без ошибки внутри и без неудавшихся элементов.',
  },
  provenance: { source: 'ruling', place: '§6 (1)' },
};

const NOT_RUN_ROW: RuleRow = {
  id: 'NOT_RUN',
  stage: 'scenario',
  match: { sign: 'not_run' },
  reached: 'no',
  read: cell('retry_with_limit', ['asked_or_backoff'], 'none'),
  write: cell('retry_with_limit', ['asked_or_backoff'], 'none'),
  wait: 'unspecified',
  condition: {
    en: 'The batch call stopped at an earlier item, so this one was never started. It may be sent again on its own.',
    ru: 'Пакетный вызов остановился на более раннем элементе, этот не запускался. Его можно отправить отдельно.',
  },
  provenance: { source: 'ruling', place: 'V13' },
};

const ASYNC_FAILED_ROW: RuleRow = {
  id: 'ASYNC_FAILED',
  stage: 'scenario',
  match: { outcomes: ['async_failed'] },
  reached: 'yes',
  read: cell('do_not_retry', ['fix_cause'], 'none'),
  write: cell('do_not_retry', ['fix_cause'], 'none'),
  wait: 'useless',
  condition: {
    en: 'The accepted job ended in failure. The same input fails again: repair it and submit a new job.',
    ru: 'Принятая задача завершилась отказом. Тот же вход даст тот же отказ: исправить его и создать новую задачу.',
  },
  provenance: { source: 'quillhub', place: 'transcription.failed' },
};

const PARTIAL_ROW: RuleRow = {
  id: 'PARTIAL_SUCCESS',
  stage: 'scenario',
  match: { sign: 'failed_items', statuses: [[200, 299]] },
  reached: 'yes',
  read: cell('retry_with_limit', ['asked_or_backoff'], 'none', null, ['partial_success']),
  write: cell('state_verification_required', ['asked_only', 'read_back'], 'applied', null, ['partial_success']),
  wait: 'unspecified',
  condition: {
    en: 'The answer says 2xx but counts items that failed or were not processed. Sending everything again would repeat the ones that worked.',
    ru: 'Ответ 2xx, но в нём есть неудавшиеся или необработанные элементы. Повтор всего пакета повторит и удавшиеся.',
  },
  provenance: { source: 'ruling', place: 'H6' },
};

export const COMMON_ROWS: readonly [RuleRow, ...RuleRow[]] = [SUCCESS_ROW, NOT_RUN_ROW, ASYNC_FAILED_ROW, PARTIAL_ROW];
