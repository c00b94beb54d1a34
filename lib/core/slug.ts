/** Latin letters for Cyrillic ones, as people write them in addresses. */
const LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
};

const SLUG_LENGTH_MAX = 40;

/**
 * A project's name as part of an address: `^[a-z0-9][a-z0-9-]*$`, at most 40 characters.
 * @returns `project` where nothing of the name can be kept.
 */
export function toSlug(name: string): string {
  const latin = [...name.toLowerCase()].map((letter) => LATIN[letter] ?? letter).join('');
  const slug = latin
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'project' : slug;
}
