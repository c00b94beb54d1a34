import type { CheckName } from '../checks/check-name';
import type { CheckMeaning } from './harm-meanings';

/** As `harm-meanings.ts`, for gaps, loads and reports. */
export const MANNERS_MEANINGS = {
  hot_loop: {
    meaning: { en: 'Several retries in a row with no pause.', ru: 'Несколько повторов подряд без паузы.' },
    formula: {
      en: 'So many zero delays in a row; an asked wait of zero doesn’t excuse it.',
      ru: 'Столько нулевых пауз подряд; просьба ждать ноль не оправдывает.',
    },
  },
  zero_delay: {
    meaning: { en: 'A retry with no pause.', ru: 'Повтор без паузы.' },
    formula: {
      en: 'Gap at or below the bound; not redirects, calls after a renewal, hedges.',
      ru: 'Промежуток не больше границы; кроме переходов, вызовов после обновления и подстраховок.',
    },
  },
  unit_error_seconds_as_ms: {
    meaning: { en: 'Seconds taken for milliseconds.', ru: 'Секунды приняты за миллисекунды.' },
    formula: {
      en: 'Every early gap near a thousandth of the asked wait.',
      ru: 'Каждый ранний промежуток близок к тысячной доле запрошенного.',
    },
  },
  unit_error_ms_as_seconds: {
    meaning: { en: 'Milliseconds taken for seconds.', ru: 'Миллисекунды приняты за секунды.' },
    formula: {
      en: 'A gap near a thousand times the asked wait.',
      ru: 'Промежуток близок к тысячекратному запрошенному.',
    },
  },
  stale_delay_used: {
    meaning: { en: 'An earlier answer’s wait was used.', ru: 'Использовано ожидание из прошлого ответа.' },
    formula: {
      en: 'Early, and the gap equals a different wait asked before.',
      ru: 'Раньше срока, и промежуток равен другому, прежнему запросу.',
    },
  },
  long_wait: {
    meaning: { en: 'A very long wait was asked.', ru: 'Просят ждать очень долго.' },
    formula: {
      en: 'Asked wait at or over the bound, kept or not.',
      ru: 'Запрошено не меньше границы, соблюдено или нет.',
    },
  },
  excess_wait: {
    meaning: { en: 'The client waited far longer than asked.', ru: 'Клиент ждал намного дольше запрошенного.' },
    formula: {
      en: 'Over by more than max(the bound, the asked wait); without a wait, against x-ratelimit-reset.',
      ru: 'Дольше больше чем на max(граница, запрошенное); без запроса — против x-ratelimit-reset.',
    },
  },
  delay_uncapped: {
    meaning: { en: 'A wait nobody asked for, over the cap.', ru: 'Пауза, о которой не просили, дольше предела.' },
    formula: {
      en: 'Nothing asked, gap > declared cap, else the default bound.',
      ru: 'Ничего не просили, промежуток > объявленного предела, иначе обычной границы.',
    },
  },
  no_jitter: {
    meaning: { en: 'A service’s waits don’t spread.', ru: 'Паузы сервиса не разбросаны.' },
    formula: {
      en: 'Per service and policy, gaps driven by backoff as shares of min(cap, base·2^k): standard deviation ÷ mean below the bound, or inside every step. Where full jitter is the rule or declared: distance to even > 1.36/√n.',
      ru: 'По сервису и политике, паузы роста как доли min(предел, база·2^k): отклонение ÷ среднее меньше границы, или внутри каждого шага. Где полный джиттер — правило или объявлен: расстояние до равномерного > 1,36/√n.',
    },
  },
  backoff_shape: {
    meaning: { en: 'Waits don’t have the declared shape.', ru: 'Паузы не той формы, что объявлена.' },
    formula: {
      en: 'Full jitter only: middle gap of a step against half its bound; a gap over the cap with nothing asked.',
      ru: 'Только при полном джиттере: средняя пауза шага против половины её предела; пауза дольше предела без просьбы.',
    },
  },
  synchronised_retries: {
    meaning: {
      en: 'Many instances retry one target at the same moment.',
      ru: 'Много экземпляров повторяют в один миг к одному адресату.',
    },
    formula: {
      en: 'In a bin: so many instances, and so many times the mean number of retries of a bin in the time after.',
      ru: 'В отрезке времени столько экземпляров и во столько раз больше повторов, чем в среднем за отрезок после него.',
    },
  },
  overlapping_attempts: {
    meaning: { en: 'A try started before the one before had ended.', ru: 'Попытка началась раньше конца предыдущей.' },
    formula: {
      en: 'Start of the next < end of this; between clocks beyond their uncertainty.',
      ru: 'Начало следующей < конец этой; между разными часами сверх их погрешности.',
    },
  },
  amplification: {
    meaning: { en: 'Retries multiply.', ru: 'Повторы умножаются.' },
    formula: {
      en: 'Attempts ÷ operations, per hop where retries nest (parents), and per service against the time before; numbers given out twice.',
      ru: 'Попытки ÷ операции: по звеньям при вложенных повторах (родители) и по сервису против прежнего; номера, выданные дважды.',
    },
  },
  wasted_retry: {
    meaning: {
      en: 'A retry met the outcome that could not change.',
      ru: 'Повтор встретил исход, который не мог измениться.',
    },
    formula: {
      en: 'A retry whose outcome has the same rule and code as the never-retry outcome before it. Share of all retries, and the time spent.',
      ru: 'Повтор с тем же правилом и кодом, что и неповторяемый исход до него. Доля от всех повторов и потраченное время.',
    },
  },
  retryable_not_retried: {
    meaning: { en: 'One send only, although it may be repeated.', ru: 'Всего одна отправка, хотя её можно повторять.' },
    formula: {
      en: 'One send, repeatable, over, not cancelled and not given up for a long wait.',
      ru: 'Одна отправка, повторяемая, закончена, не отменена и не оставлена из-за долгого ожидания.',
    },
  },
  retry_after_abort: {
    meaning: { en: 'Sent after the caller had cancelled.', ru: 'Отправлено после отмены вызывающим.' },
    formula: {
      en: 'A send after one the caller aborted, or one that ended at once by a signal that had fired before.',
      ru: 'Отправка после отменённой вызывающим или оборванная сразу уже сработавшим сигналом.',
    },
  },
  attempt_starved: {
    meaning: { en: 'The client gave a try no time.', ru: 'Клиент не дал попытке времени.' },
    formula: {
      en: 'Ended by the client within the bound and within the share of the try before it.',
      ru: 'Оборвана клиентом не позже границы и доли от прошлой попытки.',
    },
  },
  attempt_gap: {
    meaning: { en: 'Attempts that nobody reported.', ru: 'Попытки, о которых не сообщили.' },
    formula: { en: 'Numbers missing below the highest.', ru: 'Пропущенные номера ниже наибольшего.' },
  },
  incomplete_give_up: {
    meaning: { en: 'Given up without what support asks for.', ru: 'Оставлено без того, что спросит поддержка.' },
    formula: {
      en: 'Failed on a platform’s answer without time, code or request id. Share complete of all given up.',
      ru: 'Сбой на ответе платформы без времени, кода или номера запроса. Доля полных от всех оставленных.',
    },
  },
  contract_anomaly: {
    meaning: {
      en: 'An answer contradicts the platform’s own page.',
      ru: 'Ответ противоречит странице самой платформы.',
    },
    formula: {
      en: 'Retry-After where none is announced or none where promised, unreadable ones, unknown codes, an executed DELETE without a first, unchanged load after QUEUE_OVERFLOW.',
      ru: 'Retry-After там, где его нет, или нет там, где обещан, нечитаемый, неизвестные коды, выполненный DELETE без первого, та же нагрузка после QUEUE_OVERFLOW.',
    },
  },
  webhook_schedule: {
    meaning: { en: 'Deliveries leave the published schedule.', ru: 'Доставки отклоняются от расписания.' },
    formula: {
      en: 'Gaps against 1 min, 5 min, 30 min, 2 h, 12 h, on the receiver’s clock; more deliveries than named; one after a 2xx.',
      ru: 'Промежутки против 1 мин, 5 мин, 30 мин, 2 ч, 12 ч по часам получателя; доставок больше названного; доставка после 2xx.',
    },
  },
} as const satisfies Partial<Record<CheckName, CheckMeaning>>;
