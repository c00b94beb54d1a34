import { text, type TextsOf } from './finding-text';

/** Manners: asked waits, gaps, limits, deadlines. */

const KEEP_WAIT: [string, string] = [
  'Let the client read Retry-After and wait that long, from the answer’s arrival.',
  'Научить клиента читать Retry-After и выжидать столько с момента ответа.',
];

export const WAIT_TEXTS: TextsOf<
  | 'early_retry'
  | 'early_capped'
  | 'wait_past_deadline'
  | 'past_deadline'
  | 'over_limit'
  | 'under_limit'
  | 'throttle_in_backoff_loop'
  | 'hot_loop'
  | 'zero_delay'
  | 'unit_error_seconds_as_ms'
  | 'unit_error_ms_as_seconds'
  | 'stale_delay_used'
  | 'long_wait'
  | 'excess_wait'
  | 'delay_uncapped'
> = {
  early_retry: {
    '': text(
      [
        'Attempt {attempt} went out after {waitedMs}, although {askedMs} had been asked: {earlyMs} too early, which keeps the limit closed longer.',
        'Попытка {attempt} ушла через {waitedMs}, хотя просили {askedMs}: на {earlyMs} раньше срока, из-за чего лимит держится дольше.',
      ],
      KEEP_WAIT,
    ),
  },
  early_capped: {
    '': text(
      [
        'Attempt {attempt} went out after {waitedMs}, at the client’s own cap of {capMs}, although {askedMs} had been asked.',
        'Попытка {attempt} ушла через {waitedMs}, по собственному пределу клиента {capMs}, хотя просили {askedMs}.',
      ],
      [
        'When an asked wait is over the cap, stop or put the work off; don’t send at the cap.',
        'Если просят ждать дольше предела, остановиться или отложить работу, а не отправлять по пределу.',
      ],
    ),
  },
  wait_past_deadline: {
    '': text(
      [
        'A wait of {askedMs} was asked with {leftMs} left of the deadline of {deadlineMs}, and the client slept all the same, so attempt {attempt} was too late to help.',
        'Просили ждать {askedMs}, когда до срока {deadlineMs} оставалось {leftMs}, но клиент всё равно уснул: попытка {attempt} опоздала.',
      ],
      [
        'Give up or put the work off as soon as the asked wait exceeds what is left.',
        'Сдаваться или откладывать работу сразу, как просят ждать дольше, чем осталось.',
      ],
    ),
  },
  past_deadline: {
    '': text(
      [
        'Attempt {attempt} started {lateMs} after the total deadline of {deadlineMs}, when nobody waited for its result any more.',
        'Попытка {attempt} началась на {lateMs} позже общего срока {deadlineMs}, когда её результата уже не ждали.',
      ],
      [
        'Check the deadline before every try, after the wait too.',
        'Проверять срок перед каждой попыткой, и после ожидания тоже.',
      ],
    ),
  },
  over_limit: {
    '': text(
      [
        'The operation was retried {retries} times, over the limit of {retriesMax}, which loads a target that is already failing.',
        'Повторов у операции {retries} при пределе {retriesMax}: это нагружает и без того сбоящего адресата.',
      ],
      [
        'Find the second loop that repeats too, or correct the count.',
        'Найти второй цикл, который тоже повторяет, или поправить счётчик.',
      ],
    ),
    by_reading: text(
      [
        'The operation was retried {retries} times: allowed by the guide’s text, one more than its table allows.',
        'Повторов у операции {retries}: текст руководства это разрешает, а таблица допускает на один меньше.',
      ],
      [
        'Nothing has to change; say in the client which reading it follows.',
        'Менять ничего не нужно; указать в клиенте, какому прочтению он следует.',
      ],
    ),
  },
  under_limit: {
    '': text(
      [
        'The client gave up after {retries} of {retriesMax} declared retries although {code} may be repeated, so work was lost without need.',
        'Клиент сдался, сделав повторов {retries} из объявленных {retriesMax}, хотя {code} можно повторять: работа потеряна зря.',
      ],
      ['See what ended the loop early.', 'Выяснить, что прервало цикл раньше времени.'],
    ),
  },
  throttle_in_backoff_loop: {
    too_soon: text(
      [
        'Attempt {attempt} followed a 429 after {gapMs}; at least {leastMs} are due.',
        'Попытка {attempt} последовала за 429 через {gapMs}; полагается не меньше {leastMs}.',
      ],
      [
        'Handle 429 outside the backoff loop: one retry after the asked wait.',
        'Обрабатывать 429 вне цикла пауз: один повтор после запрошенного ожидания.',
      ],
    ),
    repeated: text(
      [
        'Attempt {attempt} is retry number {retriesAfter429} after a 429, where the guide allows one: 429 was folded into the backoff loop.',
        'Попытка {attempt} — повтор номер {retriesAfter429} после 429, а руководство допускает один: 429 попал в общий цикл пауз.',
      ],
      [
        'Handle 429 outside the backoff loop: one retry after the asked wait.',
        'Обрабатывать 429 вне цикла пауз: один повтор после запрошенного ожидания.',
      ],
    ),
  },
  hot_loop: {
    '': text(
      [
        'Attempt {attempt} is one of several sent with no pause between them (last gap {gapMs}), which can overrun a target in seconds.',
        'Попытка {attempt} — одна из нескольких подряд без паузы (последний промежуток {gapMs}): так адресата можно завалить за секунды.',
      ],
      [
        'Put a least delay into the loop, also where the server asks for zero.',
        'Задать в цикле наименьшую паузу, даже когда сервер просит ноль.',
      ],
    ),
  },
  zero_delay: {
    '': text(
      [
        'Attempt {attempt} went out {gapMs} after attempt {after} had ended, so it met the same conditions.',
        'Попытка {attempt} ушла через {gapMs} после конца попытки {after} и встретила те же условия.',
      ],
      [
        'Wait before a retry, longer each time and at random.',
        'Выжидать перед повтором, каждый раз дольше и со случайной долей.',
      ],
    ),
  },
  unit_error_seconds_as_ms: {
    '': text(
      [
        'Asked for {askedMs}, the client waited {waitedMs}, a thousandth: it takes seconds for milliseconds.',
        'Просили {askedMs}, клиент выждал {waitedMs}, тысячную долю: секунды приняты за миллисекунды.',
      ],
      [
        'Multiply Retry-After by 1000 before it becomes a timer.',
        'Умножать Retry-After на 1000, прежде чем заводить таймер.',
      ],
    ),
  },
  unit_error_ms_as_seconds: {
    '': text(
      [
        'Asked for {askedMs}, the client waited {waitedMs}, a thousandfold: it takes milliseconds for seconds.',
        'Просили {askedMs}, клиент выждал {waitedMs}, в тысячу раз дольше: миллисекунды приняты за секунды.',
      ],
      ['Read this header as milliseconds.', 'Читать этот заголовок как миллисекунды.'],
    ),
  },
  stale_delay_used: {
    '': text(
      [
        'Attempt {attempt} waited {waitedMs}, the {staleMs} that attempt {staleFrom} had been asked for, although {askedMs} were asked now.',
        'Попытка {attempt} выждала {waitedMs} — те {staleMs}, что просили у попытки {staleFrom}, хотя теперь просили {askedMs}.',
      ],
      ['Read the wait from the latest answer each time.', 'Каждый раз читать ожидание из последнего ответа.'],
    ),
  },
  long_wait: {
    '': text(
      [
        'Attempt {attempt} was asked to wait {askedMs}; work that long ahead should not sleep in memory.',
        'У попытки {attempt} попросили ждать {askedMs}; работе с таким сроком не место во сне процесса.',
      ],
      [
        'Put the work off into a queue, and look why the limit is closed for so long.',
        'Отложить работу в очередь и выяснить, почему лимит закрыт так надолго.',
      ],
    ),
  },
  excess_wait: {
    '': text(
      [
        'Attempt {attempt} waited {waitedMs} where {askedMs} would have done: {overMs} lost.',
        'Попытка {attempt} ждала {waitedMs}, хотя хватило бы {askedMs}: потеряно {overMs}.',
      ],
      ['Look at units and at caps of the client’s wait.', 'Проверить единицы и пределы ожидания в клиенте.'],
    ),
    hint: text(
      [
        'Attempt {attempt} waited {waitedMs}, although x-ratelimit-reset named {askedMs}: {overMs} lost.',
        'Попытка {attempt} ждала {waitedMs}, хотя x-ratelimit-reset называл {askedMs}: потеряно {overMs}.',
      ],
      [
        'Use the hint to come back sooner; it binds nobody.',
        'Использовать подсказку, чтобы вернуться раньше; она ни к чему не обязывает.',
      ],
    ),
  },
  delay_uncapped: {
    '': text(
      [
        'Nothing was asked, yet attempt {attempt} waited {waitedMs}, over the longest sensible wait of {capMs}.',
        'Никто не просил ждать, но попытка {attempt} ждала {waitedMs}, дольше разумного предела {capMs}.',
      ],
      ['Put a cap on the backoff.', 'Ограничить рост пауз сверху.'],
    ),
    declared: text(
      [
        'Nothing was asked, yet attempt {attempt} waited {waitedMs}, over the client’s own cap of {capMs}.',
        'Никто не просил ждать, но попытка {attempt} ждала {waitedMs}, дольше собственного предела клиента {capMs}.',
      ],
      ['Apply the cap to every computed wait.', 'Применять предел к каждой вычисленной паузе.'],
    ),
  },
};
