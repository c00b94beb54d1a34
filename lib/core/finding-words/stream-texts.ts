import { text, type TextsOf } from './finding-text';

/** What only shows across operations. */

export const STREAM_TEXTS: TextsOf<
  | 'pause_broken_by_others'
  | 'error_loop'
  | 'no_jitter'
  | 'backoff_shape'
  | 'synchronised_retries'
  | 'amplification'
  | 'webhook_schedule'
> = {
  pause_broken_by_others: {
    '': text(
      [
        '{code} asked {askedOf} for a pause of {askedMs} that holds for everybody there, and this send came {earlyMs} before its end, which can make the pause longer.',
        '{code} попросил у {askedOf} паузу {askedMs}, общую для всех там, а эта отправка пришла на {earlyMs} раньше её конца и может продлить паузу.',
      ],
      ['Share the pause among all callers of this scope.', 'Сделать паузу общей для всех, кто обращается туда же.'],
    ),
    unaware: text(
      [
        '{code} asked {askedOf} for a pause of {askedMs}; this send by another instance came {earlyMs} before its end, too soon after it began to have heard of it.',
        '{code} попросил у {askedOf} паузу {askedMs}; эта отправка другого экземпляра пришла на {earlyMs} раньше её конца и так скоро, что знать о ней ещё не могла.',
      ],
      [
        'Nothing at once; a shared pause that spreads faster would help.',
        'Срочно ничего; помогла бы общая пауза, которая расходится быстрее.',
      ],
    ),
  },
  error_loop: {
    forming: text(
      [
        'The same failure {code} came {count} times within {spanMs} without a success: a loop is forming that the platform may shut off.',
        'Один и тот же сбой {code} пришёл раз: {count}, за {spanMs} и без успеха: складывается петля, которую платформа может отключить.',
      ],
      ['Stop repeating this request and repair its cause.', 'Перестать повторять этот запрос и устранить причину.'],
    ),
    announced: text(
      [
        'The platform warns, with {code}, that this key repeats one error.',
        'Платформа предупреждает вместе с {code}, что этот ключ повторяет одну и ту же ошибку.',
      ],
      [
        'Stop repeating this request before the platform shuts it off.',
        'Перестать повторять этот запрос, пока платформа его не отключила.',
      ],
    ),
    open: text(
      [
        'The platform stopped this request with {code} after the same failure again and again.',
        'Платформа остановила этот запрос с {code}: один и тот же сбой повторялся снова и снова.',
      ],
      [
        'Repair the cause, report it as fixed, then start a new operation.',
        'Устранить причину, сообщить об исправлении и начать новую операцию.',
      ],
    ),
    feeding: text(
      [
        'This send met an error loop that had been open for {sinceMs} and was not repaired, so it keeps the loop open.',
        'Эта отправка попала в петлю ошибок, открытую уже {sinceMs} и не исправленную, и держит её открытой.',
      ],
      ['Stop sending this request until its cause is fixed.', 'Не отправлять этот запрос, пока причина не устранена.'],
    ),
  },
  no_jitter: {
    none: text(
      [
        'The waits of this service don’t spread (spread {spread} over {pairs} pairs), so its clients come back together.',
        'Паузы этого сервиса не разбросаны (разброс {spread} на парах: {pairs}), и его клиенты возвращаются все разом.',
      ],
      [
        'Draw every wait at random between nothing and its bound.',
        'Выбирать каждую паузу случайно между нулём и её пределом.',
      ],
    ),
    partial: text(
      [
        'The waits of this service spread less than full jitter would (distance {distance}, allowed {distanceMax}, {pairs} pairs), so its clients still bunch.',
        'Паузы этого сервиса разбросаны слабее, чем при полном джиттере (отклонение {distance} при допустимом {distanceMax}, пар: {pairs}), и клиенты всё ещё сбиваются вместе.',
      ],
      [
        'Draw every wait at random between nothing and its bound.',
        'Выбирать каждую паузу случайно между нулём и её пределом.',
      ],
    ),
  },
  backoff_shape: {
    median_off: text(
      [
        'At retry {step} the middle wait is {medianMs}, where the declared backoff gives about {expectedMs}: the client doesn’t do what it says.',
        'У повтора {step} средняя пауза {medianMs}, а объявленный рост пауз даёт около {expectedMs}: клиент делает не то, что заявил.',
      ],
      [
        'Compare base, cap and factor in the client with what it declares.',
        'Сверить базу, предел и множитель в клиенте с объявленными.',
      ],
    ),
    cap_exceeded: text(
      [
        'Attempt {attempt} waited {waitedMs}, over the cap of {capMs}, with nothing asked.',
        'Попытка {attempt} ждала {waitedMs}, дольше предела {capMs}, хотя никто не просил.',
      ],
      ['Apply the cap to every computed wait.', 'Применять предел к каждой вычисленной паузе.'],
    ),
  },
  synchronised_retries: {
    '': text(
      [
        'Retries met within {binMs}: {retries}, from {instances} instances, so the target gets a blow instead of a load.',
        'За {binMs} сошлось повторов: {retries}, экземпляров: {instances}; адресат получает удар вместо нагрузки.',
      ],
      ['Add full jitter to the waits.', 'Добавить в паузы полный джиттер.'],
    ),
    ra_wave: text(
      [
        'Retries met within {binMs}: {retries}, from {instances} instances, because all kept the same asked wait: allowed, but a wave.',
        'За {binMs} сошлось повторов: {retries}, экземпляров: {instances}, потому что все выдержали одну и ту же просьбу подождать: это законно, но это волна.',
      ],
      ['Add a random part on top of the asked wait.', 'Прибавлять к запрошенному ожиданию случайную долю.'],
    ),
  },
  amplification: {
    numbers_restart: text(
      [
        'Attempt numbers were given out twice ({sends} sends, {distinctNumbers} numbers), as nested retry layers do, so retries multiply.',
        'Номера попыток выданы повторно (отправок {sends}, номеров {distinctNumbers}), как бывает при вложенных повторах: они умножаются.',
      ],
      ['Retry in one layer only.', 'Повторять только на одном уровне.'],
    ),
    nested: text(
      [
        'Retries nest: one intent became {factor} calls at the last hop ({sends} sends in all).',
        'Повторы вложены: одно намерение превратилось в вызовы последнего звена ({factor}), всего отправок {sends}.',
      ],
      [
        'Retry in one layer only and let the others pass errors on.',
        'Повторять только на одном уровне, остальным передавать ошибки дальше.',
      ],
    ),
    above_baseline: text(
      [
        'This service makes {attemptsPerOperation} attempts an operation, {factor} times as many as before ({baseline}), which loads whom it calls.',
        'У сервиса попыток на операцию {attemptsPerOperation}, раньше было {baseline} (рост в {factor} раза): это нагружает того, кого он вызывает.',
      ],
      [
        'See what fails, and lower the number of retries until it is mended.',
        'Выяснить, что сбоит, и уменьшить число повторов до починки.',
      ],
    ),
  },
  webhook_schedule: {
    off_schedule: text(
      [
        'Delivery {delivery} of “{event}” came {gapMs} after the last point of the table, where {expectedMs} was due.',
        'Доставка {delivery} события «{event}» пришла через {gapMs} от прошлой точки расписания, а полагалось {expectedMs}.',
      ],
      [
        'Nothing by itself; see whether deliveries are lost on the way.',
        'Само по себе ничего; проверить, не теряются ли доставки по пути.',
      ],
    ),
    too_many: text(
      [
        'Delivery {delivery} of “{event}” is more than the {deliveriesMax} that the platform names.',
        'Доставка {delivery} события «{event}» сверх обещанных платформой {deliveriesMax}.',
      ],
      ['Answer 2xx as soon as the delivery is stored.', 'Отвечать 2xx сразу, как доставка сохранена.'],
    ),
    after_success: text(
      [
        'Delivery {delivery} of “{event}” came although delivery {takenAs} had been taken, so handling it twice is possible.',
        'Доставка {delivery} события «{event}» пришла, хотя доставка {takenAs} уже принята: её можно обработать дважды.',
      ],
      [
        'Recognise repeats by job and event, never by the delivery’s own number.',
        'Узнавать повторы по заданию и событию, а не по номеру доставки.',
      ],
    ),
  },
};
