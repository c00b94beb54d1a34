import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { pickLocale, type Locale } from '../core/locale';
import {
  hiddenColumnsCookie,
  LOCALE_COOKIE,
  pickScheme,
  readHiddenColumns,
  SCHEME_COOKIE,
  ZONE_COOKIE,
  type ChoosableTable,
  type Scheme,
} from '../core/preference';
import { isZone, pickZone } from '../core/zone';

export interface Preferences {
  locale: Locale;
  scheme: Scheme;
  zone: string;
  /** False until the viewer's browser told its zone, or the viewer chose one. */
  zoneChosen: boolean;
}

/** What this visitor chose for the whole site; once a request. */
export const getPreferences = cache(async (): Promise<Preferences> => {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const zone = jar.get(ZONE_COOKIE)?.value;
  return {
    locale: pickLocale(jar.get(LOCALE_COOKIE)?.value, head.get('accept-language')),
    scheme: pickScheme(jar.get(SCHEME_COOKIE)?.value),
    zone: pickZone(zone),
    zoneChosen: isZone(zone),
  };
});

/** Columns of a table that this visitor left out. */
export async function getHiddenColumns(table: ChoosableTable): Promise<string[]> {
  return readHiddenColumns((await cookies()).get(hiddenColumnsCookie(table))?.value);
}
