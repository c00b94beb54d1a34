import { createTranslator } from 'next-intl';
import { describe, expect, it } from 'vitest';
import { MESSAGES } from '@/app/_i18n/messages';
import { readForms, readPlaceholders } from './icu';

/** Texts that are the same word in both languages, or a name. */
const SAME = new Set(['Readback', 'English', 'Русский', 'JSON', 'SDK', 'HTTP', 'Retry-After', 'Retry-After: {value}']);

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`;
    return typeof value === 'string' ? [[place, value] as [string, string]] : flatten(value, place);
  });
}

const en = new Map(flatten(MESSAGES.en));
const ru = new Map(flatten(MESSAGES.ru));

/** What is left to translate once arguments and syntax are gone. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replace(/<[^>]*>/g, '').replace(/\{[^{}]*\}/g, ''));
}

describe('message catalogues', () => {
  it('hold the same keys in both languages', () => {
    expect([...ru.keys()].sort()).toEqual([...en.keys()].sort());
  });

  it('hold no empty text', () => {
    const empty = [...en, ...ru].filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });

  it('hold no Russian text that equals the English one, or has no Russian letter', () => {
    const untranslated = [...ru]
      .filter(([, text]) => !SAME.has(text) && hasWords(text))
      .filter(([key, text]) => text === en.get(key) || !/\p{Script=Cyrillic}/u.test(text))
      .map(([key, text]) => `${key}: ${text}`);
    expect(untranslated).toEqual([]);
  });

  it('name the same arguments in both languages', () => {
    const different = [...en]
      .map(([key, text]) => ({ key, en: readPlaceholders(text), ru: readPlaceholders(ru.get(key) ?? '') }))
      .filter((pair) => pair.en.join() !== pair.ru.join());
    expect(different).toEqual([]);
  });

  it.each([
    ['en', en, ['one', 'other']],
    ['ru', ru, ['one', 'few', 'many', 'other']],
  ] as const)('%s: every plural has all its forms', (_, texts, needed) => {
    const lacking = [...texts].flatMap(([key, text]) =>
      readForms(text)
        .filter(({ kind, forms }) => kind === 'plural' && needed.some((form) => !forms.includes(form)))
        .map(({ forms }) => `${key}: ${forms.join(' ')}`),
    );
    expect(lacking).toEqual([]);
  });

  it.each(['en', 'ru'] as const)('%s: every text can be written with its arguments', (locale) => {
    const failures: string[] = [];
    const translate = createTranslator({
      locale,
      messages: MESSAGES[locale],
      timeZone: 'UTC',
      onError: (error) => failures.push(error.message),
    }) as unknown as (key: string, values: Record<string, unknown>) => string;
    for (const [key, text] of locale === 'en' ? en : ru) {
      for (const count of /plural|selectordinal/.test(text) ? [0, 1, 2, 5, 11, 21, 22, 25] : [1]) {
        const names = readPlaceholders(text);
        // Rich tags need functions; their texts are plain otherwise.
        if (/<\w+>/.test(text)) continue;
        translate(key, Object.fromEntries(names.map((name) => [name, count])));
      }
    }
    expect(failures).toEqual([]);
  });
});
