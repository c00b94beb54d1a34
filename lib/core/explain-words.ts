import type { LocalText } from './rules/rule';
import type { Action, Effect, Gate } from './verdict';

/** Sentences of `explainVerdict`. `{…}` are filled in. Kept together so that both languages are read side by side. */

export const WHAT = {
  success: {
    en: 'The call answered with success ({code}).',
    ru: 'Вызов завершился успехом ({code}).',
  },
  answered: { en: 'The call came back with {code}.', ru: 'Вызов вернулся с {code}.' },
  failed: {
    en: 'The call failed with {code} and no usable answer.',
    ru: 'Вызов сорвался с {code}, пригодного ответа нет.',
  },
} as const satisfies Record<string, LocalText>;

export const WHY_READ: LocalText = {
  en: 'It is a read, so repeating it changes no data.',
  ru: 'Это чтение: повтор не меняет данных.',
};

export const WHY_WRITE: Readonly<Record<Effect, LocalText>> = {
  none: {
    en: 'This write changed nothing, so repeating it makes no duplicate by itself.',
    ru: 'Эта запись ничего не изменила, и её повтор сам по себе не создаст дубля.',
  },
  possible: {
    en: 'Nobody can vouch for this write: it may have taken effect, and a blind repeat may do it twice.',
    ru: 'За эту запись никто не ручается: она могла примениться, и слепой повтор может выполнить её дважды.',
  },
  applied: { en: 'The write took effect.', ru: 'Запись применилась.' },
  doubtful: {
    en: 'The target refused this write; whether it left a trace is doubtful.',
    ru: 'Адресат отклонил эту запись; оставила ли она след, не вполне ясно.',
  },
};

export const NOW_ACTION: Readonly<Record<Action, LocalText>> = {
  none: { en: 'Nothing to do.', ru: 'Делать ничего не нужно.' },
  retry_with_limit: {
    en: '{gates} and send it again, within your own limit of tries.',
    ru: '{gates} и отправить снова в пределах своего числа попыток.',
  },
  fix_before_retry: {
    en: '{gates}; sent again unchanged it fails the same way.',
    ru: '{gates}; без изменений повтор снова не пройдёт.',
  },
  state_verification_required: {
    en: '{gates}; send again only when the effect is proven absent.',
    ru: '{gates}; отправлять снова, только если доказано, что следа нет.',
  },
  do_not_retry: {
    en: 'Do not repeat it automatically. {gates}.',
    ru: 'Автоматически не повторять. {gates}.',
  },
  not_applicable: {
    en: 'This code does not belong on a read: report the anomaly.',
    ru: 'Этот код не бывает у чтения: сообщить об аномалии.',
  },
};

export const NOW_GATE: Readonly<Record<Gate, LocalText>> = {
  wait: { en: 'wait {wait}', ru: 'выждать {wait}' },
  backoff: { en: 'back off with growing, random waits', ru: 'отступать растущими случайными паузами' },
  fix_auth: { en: 'restore the authorization', ru: 'восстановить авторизацию' },
  fix_cause: { en: 'remove the cause', ru: 'устранить причину' },
  read_back: {
    en: 'look for the effect by a unique attribute',
    ru: 'поискать след операции по уникальному признаку',
  },
  human: {
    en: 'hand it to a person, or start a new operation after the change',
    ru: 'передать человеку или после исправления начать новую операцию',
  },
};

export const NO_GATE: LocalText = { en: 'stop here', ru: 'остановиться' };
export const STRICTLY: LocalText = {
  en: 'the full {time}, not a moment less',
  ru: 'полные {time}, ни мгновением меньше',
};

export const DIFFERENCE: LocalText = {
  en: "The source's own example says “{word}” here; its page says more than that one word can, so this verdict follows the page: {action}.",
  ru: 'Пример из самого источника отвечает здесь «{word}»; его страница говорит больше, чем вмещает одно слово, поэтому вердикт следует странице: {action}.',
};

export const ACTION_NAME: Readonly<Record<Action, LocalText>> = {
  none: { en: 'nothing to do', ru: 'ничего не делать' },
  retry_with_limit: { en: 'retry with a limit', ru: 'повторять с ограничением' },
  fix_before_retry: { en: 'fix before retrying', ru: 'исправить перед повтором' },
  state_verification_required: { en: 'verify the state first', ru: 'сначала проверить состояние' },
  do_not_retry: { en: 'do not retry', ru: 'не повторять' },
  not_applicable: { en: 'not applicable', ru: 'неприменимо' },
};

export const AGENT_DONE_DIFFERENCE: LocalText = {
  en: 'The first DELETE is reported as executed, so there is nothing left to verify.',
  ru: 'О первом DELETE сообщено, что он выполнен, проверять больше нечего.',
};
