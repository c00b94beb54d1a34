/** Names and words of what a viewer chooses for the whole site; each is a cookie that the server reads. */

export const LOCALE_COOKIE = 'rb_locale';
export const SCHEME_COOKIE = 'rb_scheme';
export const ZONE_COOKIE = 'rb_zone';

export const SCHEMES = ['light', 'dark', 'auto'] as const;
export type Scheme = (typeof SCHEMES)[number];

export function pickScheme(chosen: string | undefined): Scheme {
  return SCHEMES.find((scheme) => scheme === chosen) ?? 'auto';
}

/** The text for `document.cookie`: a year, this site only. `secure` where the page came over TLS. */
export function preferenceCookie(name: string, value: string, secure: boolean): string {
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=31536000; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** Tables whose columns a viewer chooses; the rest shows what it has. */
export const CHOOSABLE_TABLES = ['operations', 'review'] as const;
export type ChoosableTable = (typeof CHOOSABLE_TABLES)[number];

/** Cookie that names the columns left out, joined by dots: a column that comes later is shown until left out too. */
export function hiddenColumnsCookie(table: ChoosableTable): string {
  return `rb_hidden_${table}`;
}

const HIDDEN_MAX = 30;

export function readHiddenColumns(text: string | undefined): string[] {
  const ids = (text ?? '').split('.').filter((id) => /^[A-Za-z]{1,30}$/.test(id));
  return [...new Set(ids)].slice(0, HIDDEN_MAX);
}
