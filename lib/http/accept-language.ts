/** The served language that the header likes best (RFC 9110 §12.5.4); English where it names none of ours. */
export function preferredLanguage(header: string | undefined): 'en' | 'ru' {
  const ranges = (header ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
    return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
  });
  const weight = (language: string): number =>
    ranges.reduce((best, range) => (range.language === language ? Math.max(best, range.quality) : best), 0);
  return weight('ru') > weight('en') ? 'ru' : 'en';
}
