import { text, type TextsOf } from './finding-text';

/** Harm: repeated writes, keys, batches. */

const LOOK_FIRST: [string, string] = [
  'Look whether more than one was made, and let the client read back by a unique attribute before it repeats a write.',
  'Проверить, не создано ли больше одного, и научить клиента сверяться по уникальному признаку перед повтором записи.',
];

const ONE_KEY: [string, string] = [
  'Make the key once per intent and send it unchanged with every try.',
  'Создавать ключ один раз на намерение и слать его без изменений с каждой попыткой.',
];

export const WRITE_TEXTS: TextsOf<
  | 'blind_write_retry'
  | 'duplicate_suspected'
  | 'key_regenerated'
  | 'key_dropped'
  | 'key_missing'
  | 'key_reused'
  | 'operation_id_reused'
  | 'whole_batch_resent'
  | 'partial_success'
  | 'item_without_outcome'
> = {
  blind_write_retry: {
    blind: text(
      [
        'Attempt {doubtfulAttempt} ended with {code} and may have been applied, yet attempt {attempt} sent the write again without looking, so it may have been done twice.',
        'Попытка {doubtfulAttempt} закончилась с {code} и могла примениться, но попытка {attempt} отправила запись снова без проверки: она могла выполниться дважды.',
      ],
      LOOK_FIRST,
    ),
    weak: text(
      [
        'Before attempt {attempt} somebody looked, but by a criterion that proves nothing, so the write of attempt {doubtfulAttempt} ({code}) may have been done twice.',
        'Перед попыткой {attempt} смотрели, но по признаку, который ничего не доказывает: запись попытки {doubtfulAttempt} ({code}) могла выполниться дважды.',
      ],
      [
        'Look again by an attribute that only this write can have, and repeat only when it is proven absent.',
        'Проверить ещё раз по признаку, который есть только у этой записи, и повторять, только если её точно нет.',
      ],
    ),
    premature: text(
      [
        'Before attempt {attempt} the write of attempt {doubtfulAttempt} ({code}) was not found, but the look came before it could have settled, so it may have been done twice.',
        'Перед попыткой {attempt} запись попытки {doubtfulAttempt} ({code}) не нашли, но смотрели раньше, чем она могла проявиться: она могла выполниться дважды.',
      ],
      [
        'Look once more now, and let the client wait for the settle time before it takes an absence for proof.',
        'Проверить ещё раз сейчас и научить клиента выжидать время оседания, прежде чем верить отсутствию.',
      ],
    ),
    after_confirmed: text(
      [
        'A look had already shown the write of attempt {doubtfulAttempt} ({code}) as done, and attempt {attempt} sent it again all the same.',
        'Проверка уже показала, что запись попытки {doubtfulAttempt} ({code}) выполнена, а попытка {attempt} всё равно отправила её снова.',
      ],
      [
        'Remove the second effect, and let the client stop when its look says that the write is there.',
        'Убрать второе действие и научить клиента останавливаться, когда проверка говорит, что запись есть.',
      ],
    ),
  },
  duplicate_suspected: {
    confirmed: text(
      [
        'More than one thing was made by one intent: seen {entities}, wanted one.',
        'Одно намерение создало больше одного: увидено {entities}, нужно одно.',
      ],
      ['Remove what is too much and tell whom it concerns.', 'Убрать лишнее и сообщить тем, кого это касается.'],
    ),
    confirmed_by_person: text(
      [
        'A person found that this write was applied more than once.',
        'Человек установил, что эта запись применилась больше одного раза.',
      ],
      ['Remove what is too much and tell whom it concerns.', 'Убрать лишнее и сообщить тем, кого это касается.'],
    ),
    probable: text(
      [
        'A write that may have been applied was repeated blindly and then succeeded, so it was probably done more than once: up to {extraEffects} too many.',
        'Запись, которая могла примениться, повторили вслепую, и повтор удался: вероятно, она выполнена больше одного раза, лишних до {extraEffects}.',
      ],
      [
        'Look how many there are, and remove what is too much.',
        'Посмотреть, сколько их на самом деле, и убрать лишнее.',
      ],
    ),
    possible: text(
      [
        'Several sends of this write may each have been applied, so up to {extraEffects} too many are possible.',
        'Несколько отправок этой записи могли примениться каждая: лишних может быть до {extraEffects}.',
      ],
      [
        'Look how many there are before anything is sent again.',
        'Посмотреть, сколько их, прежде чем отправлять что-либо снова.',
      ],
    ),
    confirmed_across: text(
      [
        'Two jobs were made under one key, by {firstOperationId} and by this operation {apartMs} later.',
        'Под одним ключом создано два задания: операцией {firstOperationId} и этой операцией спустя {apartMs}.',
      ],
      ['Cancel the second job while it is not completed.', 'Отменить второе задание, пока оно не завершено.'],
    ),
    possible_across: text(
      [
        'The same request succeeded in {firstOperationId} and {apartMs} later in this operation, and one of them had a send that nobody can vouch for.',
        'Тот же запрос удался в {firstOperationId} и спустя {apartMs} в этой операции, причём у одной из них есть отправка, за которую никто не ручается.',
      ],
      [
        'See whether both were meant; equal comments or messages may be.',
        'Проверить, задуманы ли обе: одинаковые комментарии и сообщения бывают законны.',
      ],
    ),
  },
  key_regenerated: {
    '': text(
      [
        'The tries of this write carried {keys} different idempotency keys, so the server could not recognise the repeat.',
        'Попытки этой записи несли разные ключи идемпотентности (всего {keys}), и сервер не мог узнать повтор.',
      ],
      ONE_KEY,
    ),
  },
  key_dropped: {
    '': text(
      [
        'Some tries of this write carried an idempotency key and others none (attempts {attempts}), so those were not protected.',
        'Часть попыток этой записи шла с ключом идемпотентности, а часть без него (попытки {attempts}): они не были защищены.',
      ],
      ONE_KEY,
    ),
  },
  key_missing: {
    '': text(
      [
        'This write went out without an idempotency key although the platform’s guide asks for one, so a repeat can’t be found by it.',
        'Запись отправлена без ключа идемпотентности, хотя руководство платформы его требует: повтор по нему не найти.',
      ],
      [
        'Put a key of the logical job into the request’s metadata and look for it before repeating.',
        'Класть ключ логического задания в метаданные запроса и искать его перед повтором.',
      ],
    ),
  },
  key_reused: {
    '': text(
      [
        'One idempotency key was sent with {requests} different requests, so the server may answer one of them with the other’s result.',
        'Один ключ идемпотентности отправлен с разными запросами (всего {requests}): сервер может ответить на один результатом другого.',
      ],
      ['Make a new key for every intent.', 'Создавать новый ключ для каждого намерения.'],
    ),
    across: text(
      [
        'The idempotency key already belonged to another request of {firstOperationId}, {apartMs} earlier, so this one may get that one’s result.',
        'Ключ идемпотентности уже принадлежал другому запросу операции {firstOperationId}, на {apartMs} раньше: этот может получить чужой результат.',
      ],
      ['Make a new key for every operation.', 'Создавать новый ключ для каждой операции.'],
    ),
    by_platform: text(
      [
        'The platform says ({code}) that this idempotency key belongs to another request; nothing was done.',
        'Платформа сообщает ({code}), что этот ключ идемпотентности принадлежит другому запросу; ничего не сделано.',
      ],
      [
        'Make a new key and send the request as a new operation.',
        'Создать новый ключ и отправить запрос новой операцией.',
      ],
    ),
    unproven: text(
      [
        '{otherOperationId} used this idempotency key too, and nothing shows that it asked for the same, so a success under the key proves nothing about this write.',
        '{otherOperationId} использует тот же ключ идемпотентности, и ничто не показывает, что запрос тот же: успех под этим ключом ничего не доказывает об этой записи.',
      ],
      [
        'Read back before anything else; make a new key for every operation and send the request’s fingerprint.',
        'Сначала сверить; создавать новый ключ для каждой операции и передавать отпечаток запроса.',
      ],
    ),
  },
  operation_id_reused: {
    '': text(
      [
        'Attempt {attempt} sent another request under the same operation id (requests: {requests}), so its tries can’t be judged as one intent.',
        'Попытка {attempt} отправила другой запрос под тем же номером операции (запросов: {requests}): судить о них как об одном намерении нельзя.',
      ],
      ['Give a changed request an operation id of its own.', 'Давать изменённому запросу собственный номер операции.'],
    ),
  },
  whole_batch_resent: {
    '': text(
      [
        'Attempt {attempt} sent the whole batch again although items of attempt {after} had worked ({itemsThatHadWorked}), so those were probably done twice.',
        'Попытка {attempt} отправила весь пакет снова, хотя элементы попытки {after} уже сработали ({itemsThatHadWorked}): они, вероятно, выполнены дважды.',
      ],
      [
        'Send only the failed items again, and look for doubles now.',
        'Повторять только неудавшиеся элементы, а сейчас поискать дубли.',
      ],
    ),
  },
  partial_success: {
    '': text(
      [
        'The call answered with success, but not every item of it worked (attempt {attempt}), so counting it as done loses the rest.',
        'Вызов ответил успехом, но сработали не все его элементы (попытка {attempt}): если счесть его выполненным, остальное потеряется.',
      ],
      [
        'Judge every item by its own answer and treat the failed ones alone.',
        'Разбирать каждый элемент по его ответу и заниматься только неудавшимися.',
      ],
    ),
  },
  item_without_outcome: {
    '': text(
      [
        'The batch’s answer says nothing of this item (attempt {attempt}), so nobody knows whether it was done.',
        'Ответ пакета ничего не говорит об этом элементе (попытка {attempt}): выполнен ли он, неизвестно.',
      ],
      ['Look for its effect before it is sent again.', 'Поискать его след, прежде чем отправлять снова.'],
    ),
  },
};
