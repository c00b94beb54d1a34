import type { Locale } from '../core/locale';

/** BCP 47 tag for Intl: day before month and a 24-hour clock in both languages. */
export function intlTag(locale: Locale): string {
  return locale === 'ru' ? 'ru-RU' : 'en-GB';
}
