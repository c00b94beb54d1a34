import { getRequestConfig } from 'next-intl/server';
import { MESSAGES } from './messages';
import { getPreferences } from '@/lib/auth/preferences';

/** No language in the address: it is the viewer's, by cookie or by the browser's wish. */
export default getRequestConfig(async () => {
  const { locale, zone } = await getPreferences();
  return { locale, messages: MESSAGES[locale], timeZone: zone };
});
