import { text, type TextsOf } from './finding-text';

/** Outcomes that should not be retried, credentials, client faults and what the platform's answers contradict. */

export const OTHER_TEXTS: TextsOf<
  | 'never_retry_retried'
  | 'auth_loop'
  | 'overlapping_attempts'
  | 'wasted_retry'
  | 'retryable_not_retried'
  | 'retry_after_abort'
  | 'attempt_starved'
  | 'attempt_gap'
  | 'incomplete_give_up'
  | 'contract_anomaly'
> = {
  never_retry_retried: {
    '': text(
      [
        'Attempt {attempt} repeated {code} unchanged; only a repair can change that outcome, so the retry could not help.',
        'Попытка {attempt} повторила {code} без изменений; такой исход меняет только исправление, и повтор помочь не мог.',
      ],
      [
        'Stop on this outcome, repair the cause, then start a new operation.',
        'Останавливаться на таком исходе, устранить причину и начать новую операцию.',
      ],
    ),
    advice: text(
      [
        'Attempt {attempt} repeated {code} unchanged; the rules don’t know this code, but its kind seldom passes by waiting.',
        'Попытка {attempt} повторила {code} без изменений; правила этого кода не знают, но такие редко проходят от ожидания.',
      ],
      ['See what the code means and fix that first.', 'Выяснить, что значит этот код, и сначала исправить это.'],
    ),
  },
  auth_loop: {
    not_renewed: text(
      [
        'Attempt {attempt} was sent after {code} with no renewal of the credential in between, so it was refused in advance.',
        'Попытка {attempt} ушла после {code} без обновления учётных данных и была обречена на отказ.',
      ],
      [
        'Renew the credential first, then make one follow-up call.',
        'Сначала обновить учётные данные, затем сделать один повторный вызов.',
      ],
    ),
    renewed_in_vain: text(
      [
        'The credential was refused again after it had been renewed (renewals {renewals}, refusals after it {refusals}): a loop, not a passing fault.',
        'Учётные данные снова отвергнуты после обновления (обновлений {renewals}, отказов после них {refusals}): это петля, а не случайный сбой.',
      ],
      [
        'Stop after one follow-up call and let a person look at rights and clocks.',
        'Останавливаться после одного повторного вызова и показать человеку права и часы.',
      ],
    ),
    renewal_fails: text(
      [
        'Renewing this credential failed {failures} times within {spanMs}, so every call that uses it is stopped.',
        'Обновить эти учётные данные не удалось раз: {failures}, за {spanMs}; все вызовы с ними стоят.',
      ],
      [
        'Renew it by hand or replace it; the token may be revoked.',
        'Обновить вручную или заменить: токен мог быть отозван.',
      ],
    ),
    renewals_in_flight: text(
      [
        'Two renewals of one credential started {apartMs} apart, and one may undo the other.',
        'Два обновления одних учётных данных начались с разницей {apartMs}, и одно может отменить другое.',
      ],
      ['Let callers share one renewal.', 'Сделать одно обновление общим для всех вызовов.'],
    ),
  },
  overlapping_attempts: {
    '': text(
      [
        'Attempt {attempt} started {overlapMs} before attempt {with} had ended, so both were under way at once.',
        'Попытка {attempt} началась на {overlapMs} раньше конца попытки {with}: обе шли одновременно.',
      ],
      [
        'Wait for the end or cancel before sending again; never overlap writes.',
        'Дожидаться конца или отменять, прежде чем слать снова; записи не накладывать никогда.',
      ],
    ),
    hedge: text(
      [
        'Attempt {attempt} was sent as a hedge {overlapMs} before attempt {with} had ended: more load for less waiting.',
        'Попытка {attempt} отправлена подстраховкой на {overlapMs} раньше конца попытки {with}: больше нагрузки ради меньшего ожидания.',
      ],
      ['Hedge reads only, and only a small share of them.', 'Подстраховывать только чтения и лишь малую их долю.'],
    ),
  },
  wasted_retry: {
    '': text(
      [
        'Attempt {attempt} met {code} once more, as it had to, and spent {spentMs}.',
        'Попытка {attempt} снова встретила {code}, как и следовало ждать, и потратила {spentMs}.',
      ],
      ['Stop at the first such outcome.', 'Останавливаться на первом таком исходе.'],
    ),
  },
  retryable_not_retried: {
    '': text(
      [
        'The only try ended with {code}, which may be repeated, and none followed, so work was lost without need.',
        'Единственная попытка закончилась с {code}, который можно повторять, но повтора не было: работа потеряна зря.',
      ],
      [
        'Retry it within a limit, or report that it was given up.',
        'Повторять в пределах числа попыток или сообщать, что операция оставлена.',
      ],
    ),
  },
  retry_after_abort: {
    user: text(
      [
        'Attempt {attempt} was sent although the caller had cancelled, so it works for nobody.',
        'Попытка {attempt} отправлена, хотя вызывающий всё отменил: она работает ни для кого.',
      ],
      [
        'Check the signal before every try, during the wait too.',
        'Проверять сигнал отмены перед каждой попыткой и во время ожидания.',
      ],
    ),
    old_signal: text(
      [
        'Attempt {attempt} died after {lengthMs} of a signal that had fired before it started.',
        'Попытка {attempt} погибла через {lengthMs} от сигнала, сработавшего до её начала.',
      ],
      ['Give every try a time limit of its own.', 'Давать каждой попытке собственный предел времени.'],
    ),
  },
  attempt_starved: {
    '': text(
      [
        'The client ended attempt {attempt} after {lengthMs}, where the one before had {previousMs}: its time was used up before it began.',
        'Клиент оборвал попытку {attempt} через {lengthMs}, тогда как у предыдущей было {previousMs}: её время вышло до начала.',
      ],
      [
        'Share the total time among the tries, and don’t start one without enough of it.',
        'Делить общее время между попытками и не начинать ту, которой его не хватит.',
      ],
    ),
  },
  attempt_gap: {
    '': text(
      [
        'Attempts {missing} were never reported, so what they did is not known (seen {observed}, highest number {highest}).',
        'О попытках {missing} никто не сообщил, и что они сделали, неизвестно (увидено {observed}, наибольший номер {highest}).',
      ],
      [
        'See that every send is reported, those that die included.',
        'Сделать так, чтобы сообщалось о каждой отправке, и об оборванной тоже.',
      ],
    ),
  },
  incomplete_give_up: {
    '': text(
      [
        'The operation was given up on {code} without {missing}, which support asks for first.',
        'Операция оставлена на {code}, а для обращения в поддержку не хватает: {missing}.',
      ],
      [
        'Report time, code and request id with every platform answer.',
        'Передавать время, код и номер запроса с каждым ответом платформы.',
      ],
    ),
  },
  contract_anomaly: {
    '': text(
      [
        'The answer of attempt {attempt} ({code}) doesn’t fit the platform’s own page: {anomalies}.',
        'Ответ попытки {attempt} ({code}) не сходится со страницей самой платформы: {anomalies}.',
      ],
      [
        'Trust the rule, and tell the platform or correct the report.',
        'Верить правилу и сообщить платформе или поправить отчёт клиента.',
      ],
    ),
  },
};
