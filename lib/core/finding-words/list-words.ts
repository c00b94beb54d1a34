import type { LocalText } from '../rules/rule';

/** Words of lists inside evidence, by the word the evidence carries. */
export const LIST_WORDS: Readonly<Record<string, LocalText>> = {
  retry_after_where_none_is_announced: {
    en: 'a Retry-After where none is announced',
    ru: 'Retry-After там, где его не обещают',
  },
  code_on_a_read: { en: 'a code that never belongs to a read', ru: 'код, которого у чтения не бывает' },
  unknown_code: { en: 'a code that the rules don’t know', ru: 'код, которого правила не знают' },
  retry_after_unreadable: { en: 'a Retry-After that nobody can read', ru: 'нечитаемый Retry-After' },
  retry_after_missing: { en: 'no Retry-After where one is promised', ru: 'нет Retry-After там, где он обещан' },
  no_first_delete: { en: 'no first DELETE that it could answer', ru: 'нет первого DELETE, на который это ответ' },
  load_unchanged_after_overflow: {
    en: 'as many calls at once as before the overflow',
    ru: 'вызовов одновременно столько же, сколько до переполнения',
  },
  time: { en: 'its time', ru: 'время' },
  code: { en: 'its code', ru: 'код' },
  requestId: { en: 'its request id', ru: 'номер запроса' },
};
