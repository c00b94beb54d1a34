import type { CheckName } from '../checks/check-name';
import type { LocalText } from '../rules/rule';

/** What each check means in one line, and how it is counted, in words. Both languages stand side by side. */
export interface CheckMeaning {
  meaning: LocalText;
  formula: LocalText;
}

export const HARM_MEANINGS = {
  blind_write_retry: {
    meaning: {
      en: 'A write that may have been applied was sent again without a proof that it was not.',
      ru: 'Запись, которая могла примениться, отправлена снова без доказательства, что её нет.',
    },
    formula: {
      en: 'Counted from the latest send whose effect is possible: no read-back between it and the next send that says absent by a unique criterion after the settle time. Exempt: one server key in its lifetime, not in parallel, for the same request; PUT and DELETE under plain HTTP. Rate: operations with any ÷ write operations with a doubtful send.',
      ru: 'От последней отправки с возможным эффектом: до следующей нет сверки, которая после времени оседания говорит «нет» по уникальному признаку. Не считается один серверный ключ в пределах его жизни, не параллельно и для того же запроса, а также PUT и DELETE в обычном HTTP. Доля: операции с таким ÷ операции записи с сомнительной отправкой.',
    },
  },
  duplicate_suspected: {
    meaning: {
      en: 'One intent may have taken effect more than once.',
      ru: 'Одно намерение могло выполниться больше одного раза.',
    },
    formula: {
      en: 'Confirmed: two entities or jobs seen, or a person said so. Probable: a blind repeat ended in success. Possible: two effects possible and no success, or two operations with the same request, scope and day succeeded and one was doubtful. Extra effects = possible effects − 1.',
      ru: 'Подтверждено: видны две сущности или задания, или так сказал человек. Вероятно: слепой повтор закончился успехом. Возможно: два возможных эффекта без успеха, либо за сутки удались две операции с одним запросом в одной области и одна была сомнительной. Лишних = возможных эффектов − 1.',
    },
  },
  pause_broken_by_others: {
    meaning: {
      en: 'A pause that holds for everybody on a scope was broken by another operation.',
      ru: 'Общую для всех паузу нарушила другая операция.',
    },
    formula: {
      en: 'Any send that starts between the answer that asked and the latest end of the overlapping pauses on its scope: portal (quarantine), portal and method (OPERATION_TIME_LIMIT), credential, at most a minute (CALLER_RATE_LIMITED). Early = end − start.',
      ru: 'Любая отправка между ответом, который просил, и последним концом перекрывающихся пауз её области: портал (карантин), портал и метод (OPERATION_TIME_LIMIT), учётные данные, не дольше минуты (CALLER_RATE_LIMITED). Раньше на = конец − начало.',
    },
  },
  never_retry_retried: {
    meaning: {
      en: 'An outcome that only a repair can change was retried unchanged.',
      ru: 'Исход, который меняет только исправление, повторили без изменений.',
    },
    formula: {
      en: 'A send after do_not_retry or a fix gate, its request not different, with no matching fix or successful renewal between. Unknown codes: advice.',
      ru: 'Отправка после «не повторять» или условия «исправить», с тем же запросом и без исправления или удачного обновления между ними. Неизвестные коды — лишь совет.',
    },
  },
  error_loop: {
    meaning: {
      en: 'The same failure repeats until the platform shuts it off.',
      ru: 'Один и тот же сбой повторяется, пока платформа его не отключит.',
    },
    formula: {
      en: 'Per scope: the same request and code (or call and code) so many times within the window without a success: forming. A warning: announced. ERROR_LOOP_DETECTED: open. Each further send before a fix or a success: feeding.',
      ru: 'По области: один запрос и код (или вызов и код) столько-то раз за окно без успеха — складывается. Предупреждение — объявлено. ERROR_LOOP_DETECTED — открыто. Каждая новая отправка до исправления или успеха — подпитка.',
    },
  },
  auth_loop: {
    meaning: {
      en: 'A refused credential is used or renewed again and again.',
      ru: 'Отвергнутые учётные данные используют или обновляют снова и снова.',
    },
    formula: {
      en: 'A repeat after a refusal with no successful renewal; more than one follow-up after a renewal, along a chain of parents too; failed renewals within the window; two renewals under way at once.',
      ru: 'Повтор после отказа без удачного обновления; больше одного повторного вызова после обновления, и по цепочке родителей; неудачные обновления за окно; два обновления одновременно.',
    },
  },
  early_retry: {
    meaning: {
      en: 'A send went out before the asked wait was over.',
      ru: 'Отправка ушла раньше, чем кончилось запрошенное ожидание.',
    },
    formula: {
      en: 'Early = asked wait − gap to the next send, over the tolerance. Rate: honoured ÷ (honoured + early + early at the cap).',
      ru: 'Раньше на = запрошено − промежуток до следующей отправки, сверх допуска. Доля: соблюдено ÷ (соблюдено + раньше + раньше по пределу).',
    },
  },
  early_capped: {
    meaning: {
      en: 'The client slept up to its own cap and sent before the asked wait was over.',
      ru: 'Клиент проспал до своего предела и отправил раньше конца запрошенного ожидания.',
    },
    formula: {
      en: 'Asked wait over the declared cap, and the next send at the cap. Under strict codes it counts as early.',
      ru: 'Просили ждать дольше объявленного предела, а следующая отправка ушла по пределу. При строгих кодах считается обычным опережением.',
    },
  },
  wait_past_deadline: {
    meaning: {
      en: 'The client slept although the asked wait exceeded what was left of its deadline.',
      ru: 'Клиент уснул, хотя просили ждать дольше, чем оставалось до срока.',
    },
    formula: {
      en: 'Asked wait > deadline left, and the next send started after the deadline.',
      ru: 'Запрошено больше, чем оставалось до срока, и следующая отправка началась после срока.',
    },
  },
  past_deadline: {
    meaning: {
      en: 'A send started after the operation’s total deadline.',
      ru: 'Отправка началась после общего срока операции.',
    },
    formula: {
      en: 'Start of a send > start of the first + deadline. A late end after a start in time is overshoot and no finding.',
      ru: 'Начало отправки > начало первой + срок. Поздний конец при своевременном начале — перебор, но не нарушение.',
    },
  },
  over_limit: {
    meaning: { en: 'More retries than the limit.', ru: 'Повторов больше предела.' },
    formula: {
      en: 'Retries = sends − 1, without redirects, calls after a renewal and QuillHub’s retry after a 429; against the declared limit, else the default.',
      ru: 'Повторы = отправки − 1, без переходов, вызовов после обновления и повтора QuillHub после 429; против объявленного предела, иначе обычного.',
    },
  },
  under_limit: {
    meaning: { en: 'The client gave up before its declared limit.', ru: 'Клиент сдался раньше объявленного предела.' },
    formula: {
      en: 'Fewer retries than declared, the last outcome repeatable, time left, and nothing follows.',
      ru: 'Повторов меньше объявленного, последний исход можно повторять, время есть, а продолжения нет.',
    },
  },
  throttle_in_backoff_loop: {
    meaning: {
      en: 'A 429 was folded into the backoff loop (QuillHub).',
      ru: '429 попал в общий цикл пауз (QuillHub).',
    },
    formula: {
      en: 'More than one retry after a 429 in one operation, or a gap below max(a second, the asked wait). Gaps that double are the second sign.',
      ru: 'Больше одного повтора после 429 в операции или промежуток меньше max(секунда, запрошенное). Удвоение промежутков — второй признак.',
    },
  },
  key_regenerated: {
    meaning: {
      en: 'Tries of one write carry different idempotency keys.',
      ru: 'Попытки одной записи несут разные ключи идемпотентности.',
    },
    formula: {
      en: 'Distinct key hashes over the writes of an operation > 1.',
      ru: 'Различных хешей ключа у записей операции > 1.',
    },
  },
  key_dropped: {
    meaning: {
      en: 'Some tries of a write carry the key, others none.',
      ru: 'Часть попыток записи с ключом, часть без него.',
    },
    formula: {
      en: 'At least one keyed and one bare write in an operation.',
      ru: 'В операции есть и запись с ключом, и запись без него.',
    },
  },
  key_missing: {
    meaning: {
      en: 'A write without the key that the platform’s guide asks for.',
      ru: 'Запись без ключа, которого требует руководство платформы.',
    },
    formula: {
      en: 'No keyed write in an operation with a QuillHub POST.',
      ru: 'Ни одной записи с ключом в операции с POST к QuillHub.',
    },
  },
  key_reused: {
    meaning: { en: 'One key was sent with different requests.', ru: 'Один ключ отправлен с разными запросами.' },
    formula: {
      en: 'One key hash with two fingerprints in an operation, or over operations within the look-back; or the platform says so. Unproven: a doubt hangs on a key that another operation used, and not both name their request.',
      ru: 'Один хеш ключа с двумя отпечатками в операции или между операциями за срок памяти; либо так говорит платформа. Не доказано: сомнение держится на ключе, который использовала и другая операция, и не обе назвали запрос.',
    },
  },
  operation_id_reused: {
    meaning: { en: 'Different requests share one operation id.', ru: 'Разные запросы под одним номером операции.' },
    formula: { en: 'Distinct fingerprints in one operation > 1.', ru: 'Различных отпечатков в операции > 1.' },
  },
  whole_batch_resent: {
    meaning: {
      en: 'A whole batch was sent again after some of its items had worked.',
      ru: 'Весь пакет отправлен снова, хотя часть его элементов сработала.',
    },
    formula: {
      en: 'A write after a partial success with at least as many items; or an item that had worked, sent again.',
      ru: 'Запись после частичного успеха с не меньшим числом элементов; или снова отправлен сработавший элемент.',
    },
  },
  partial_success: {
    meaning: { en: 'A success that hides failed items.', ru: 'Успех, за которым скрыты неудавшиеся элементы.' },
    formula: {
      en: '2xx whose summary or items report failed or unprocessed ones.',
      ru: '2xx, в чьих итогах или элементах есть неудавшиеся или необработанные.',
    },
  },
  item_without_outcome: {
    meaning: { en: 'A batch answer doesn’t speak of this item.', ru: 'Ответ пакета молчит об этом элементе.' },
    formula: {
      en: 'An item sent and not answered under a sound envelope.',
      ru: 'Элемент отправлен, а в целом ответе его нет.',
    },
  },
} as const satisfies Partial<Record<CheckName, CheckMeaning>>;
