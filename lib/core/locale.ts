/** Languages of the screens, and how a visitor's is chosen. */

export const LOCALES = ['en', 'ru'] as const;
export type Locale = (typeof LOCALES)[number];

export const DEFAULT_LOCALE: Locale = 'en';

function isLocale(word: string | undefined): word is Locale {
  return LOCALES.some((locale) => locale === word);
}

interface Wish {
  language: string;
  quality: number;
}

function parseWish(part: string): Wish {
  const [tag = '', ...parameters] = part.trim().split(';');
  const q = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return { language: tag.trim().toLowerCase().split('-')[0] ?? '', quality: Number.isFinite(quality) ? quality : 0 };
}

/**
 * The visitor's own choice, else the best match of `Accept-Language` (RFC 9110 §12.5.4), else English.
 * Never throws, whatever the two texts hold.
 */
export function pickLocale(chosen: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(chosen)) return chosen;
  const wishes = (acceptLanguage ?? '')
    .split(',')
    .map(parseWish)
    .filter((wish) => wish.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { language } of wishes) {
    if (isLocale(language)) return language;
    if (language === '*') return DEFAULT_LOCALE;
  }
  return DEFAULT_LOCALE;
}
