import type { Messages } from '@/app/_i18n/messages';
import type { Locale as OurLocale } from '@/lib/core/locale';

declare module 'next-intl' {
  interface AppConfig {
    Locale: OurLocale;
    Messages: Messages;
  }
}
