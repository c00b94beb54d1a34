import type { LocalText } from './rule';

/** What each code means and what to wait for, in our own words. */
export const VIBECODE_CONDITIONS = {
  QUEUE_OVERFLOW: {
    en: 'The portal queue refused to take the call, so nothing was started. Sleep for the announced time, send fewer calls in parallel and spread retries with random backoff.',
    ru: 'Очередь не приняла вызов, выполнение не началось. Выждать объявленное время, уменьшить число параллельных вызовов и разнести повторы случайной задержкой.',
  },
  QUEUE_TIMEOUT: {
    en: 'The call waited too long and was taken out of the queue before it began. Wait as told, then try again.',
    ru: 'Вызов слишком долго стоял в очереди и был снят до запуска. Выждать указанное время и повторить.',
  },
  RATE_LIMITED: {
    en: 'One code for two limiters: the platform own one (before the call) and the Bitrix24 one (call refused, not applied). Reach is unknown, effect is not possible. Wait as told.',
    ru: 'Один код на два ограничителя: собственный платформы (до вызова) и Битрикс24 (вызов отклонён и не применён). Дошёл ли вызов — неизвестно, но эффекта быть не может. Выждать указанное время.',
  },
  CALLER_RATE_LIMITED: {
    en: 'The caller used up its one-minute allowance and was refused before the operation began. Until that minute is over every attempt gets the same answer, so wait the full time.',
    ru: 'Вызывающий исчерпал минутный лимит, отказ выдан до начала операции. Пока минута не кончилась, ответ будет тем же, поэтому ждать полностью.',
  },
  OPERATION_TIME_LIMIT: {
    en: 'The method spent its time budget. The first refusal is the answer of a method that Bitrix24 had already started; later ones may come from the pause remembered by the platform. Wait strictly as told; before repeating a write look for its effect.',
    ru: 'Метод израсходовал лимит времени. Первый отказ — ответ уже запущенного в Битрикс24 метода, следующие могут исходить из запомненной платформой паузы. Строго выждать; запись повторять только после поиска её следа.',
  },
  TIMEOUT_QUARANTINE: {
    en: 'A pause started by an earlier timeout is still running and this call was stopped before it left. Send nothing until the full pause ends: early calls slow recovery. The promise covers this call only; the earlier timed-out one may have taken effect.',
    ru: 'Действует пауза после прежнего таймаута, этот вызов остановлен до отправки. Ничего не слать до полного конца паузы: ранние вызовы мешают восстановлению. Гарантия касается только этого вызова, прежняя операция могла примениться.',
  },
  BITRIX_TIMEOUT: {
    en: 'The call was sent and the platform stopped waiting; Bitrix24 may still be working on it. Keep the recommended pause; for a write look for the effect first.',
    ru: 'Вызов отправлен, платформа перестала ждать; Битрикс24 мог продолжить обработку. Выдержать рекомендуемую паузу; для записи сначала искать её след.',
  },
  BITRIX_ERROR: {
    en: 'Bitrix24 itself answered with an error. Waiting changes nothing: read b24Code and message and correct the request. A changed write is a new deliberate attempt; when in doubt about the old one check the state too.',
    ru: 'Ошибку вернул сам Битрикс24. Ожидание ничего не изменит: разобрать b24Code и message и исправить запрос. Исправленная запись — уже новая осознанная попытка; при сомнении проверить и состояние.',
  },
  BITRIX_UNAVAILABLE: {
    en: 'Bitrix24 answered with a server error or the network to it failed. No answer is not proof of no effect. Use exponential backoff with a bound.',
    ru: 'Битрикс24 ответил серверной ошибкой либо отказала сеть до него. Нет ответа — не значит нет эффекта. Экспоненциальная задержка с пределом.',
  },
  POOL_EXHAUSTED: {
    en: 'The platform database had no free connection. One shared handler raises this at any stage, so the external call may or may not have run. Wait as told.',
    ru: 'В базе платформы кончились соединения. Общий обработчик срабатывает на любом этапе, внешний вызов мог выполниться, а мог и нет. Выждать указанное время.',
  },
  DB_TRANSIENT: {
    en: 'A passing database failure on the platform. Undoing its local transaction does not undo a Bitrix24 call that already finished. Wait as told.',
    ru: 'Временный сбой базы платформы. Отмена локальной транзакции не отменяет уже завершённый вызов Битрикс24. Выждать указанное время.',
  },
  SERVICE_UNAVAILABLE: {
    en: 'The edge of the platform cannot tell whether the backend finished its external work; a gateway timeout does not stop it. Wait as told.',
    ru: 'Внешняя граница платформы не знает, успел ли backend завершить внешнее действие; таймаут шлюза его не останавливает. Выждать указанное время.',
  },
  TOKEN_REFRESH_FAILED: {
    en: 'The service step that renews the token failed, so the business method was never sent. Backoff alone is pointless; once authorization works again both a read and a write may simply be repeated.',
    ru: 'Не удалось служебное обновление токена, бизнес-метод не отправлялся. Одни задержки бесполезны; после восстановления авторизации и чтение, и запись можно просто повторить.',
  },
  ERROR_LOOP_DETECTED: {
    en: 'The circuit breaker saw the same failure again and again and stopped this call before sending. Remove the lasting cause first. Now and then it lets one probe call through, which then gets an ordinary answer.',
    ru: 'Предохранитель увидел повторяющийся одинаковый отказ и остановил вызов до отправки. Сначала устранить постоянную причину. Изредка пропускается пробный вызов, и он получает обычный ответ.',
  },
  BH_APP_STARTING: {
    en: 'No frame came back from the hosted app, or the agent answered in its place. The app code may still have seen the request before the link broke. Wait as told.',
    ru: 'От размещённого приложения не пришло ни одного кадра, либо за него ответил агент. Код приложения всё же мог увидеть запрос до обрыва. Выждать указанное время.',
  },
  BH_APP_TIMEOUT: {
    en: 'Someone stopped waiting for the app: the agent (14 s for headers, 20 s in total for a small answer), the gateway (30 s for the first frame, 15 s of silence before the answer is committed), or the app itself sent a 504 without Content-Type. It may have run. There is no Retry-After and a pause does not make a repeat safe.',
    ru: 'Кто-то перестал ждать приложение: агент (14 с на заголовки, 20 с всего на небольшой ответ), шлюз (30 с до первого кадра, 15 с тишины до фиксации ответа) или само приложение вернуло 504 без Content-Type. Запрос мог выполниться. Retry-After нет, пауза не делает повтор безопасным.',
  },
  BH_APP_CONNECTION_LOST: {
    en: 'The agent reached the app, then the connection broke before an answer or in the middle of its body. The app is alive and may have acted. No Retry-After; look for the effect of a write first.',
    ru: 'Агент соединился с приложением, но связь оборвалась до ответа или посреди тела ответа. Приложение работает и могло выполнить действие. Retry-After нет; для записи сначала искать её след.',
  },
  AGENT_WRITE_ALREADY_EXECUTED: {
    en: 'Only for keys of an AI agent, when the same address gets a second DELETE within 30 seconds. firstStatus with a success code: the first delete worked, count the operation as done. null: the first is still running, read the record. Any other value is not described.',
    ru: 'Только для ключа ИИ-агента, когда на тот же адрес за 30 секунд приходит второй DELETE. firstStatus с кодом успеха: первое удаление прошло, считать операцию выполненной. null: первое ещё идёт, перечитать запись. Иные значения не описаны.',
  },
  LARGE_BODY_BACKEND_BUSY: {
    en: 'The gate for large bodies turned the request away before any handler saw it. Wait as told.',
    ru: 'Шлюз приёма больших тел отказал до обработчика и до целевого вызова. Выждать указанное время.',
  },
} as const satisfies Record<string, LocalText>;
