import { useLocale, useTranslations } from 'next-intl';
import { formatInstant } from '@/lib/present/instant';
import { countFilters, type Scope } from '@/lib/present/scope';
import classes from './filters.module.css';

interface ScopeNoteProps {
  scope: Scope;
  now: number;
  /** Filters of the page's own that the scope doesn't hold. */
  more?: number;
}

/** Which events a number is made of, said beside it: range and filters in a few words. */
export function ScopeNote({ scope, now, more = 0 }: ScopeNoteProps) {
  const t = useTranslations('common');
  const locale = useLocale();
  const style = { locale, tz: scope.range.tz };
  const range = scope.range.word
    ? t(`range.last.${scope.range.word}`)
    : t('range.span', {
        from: formatInstant(scope.range.from, style, now),
        to: formatInstant(scope.range.to, style, now),
      });
  return (
    <span className={classes.note}>
      {range} · {t('scope.filters', { count: countFilters(scope.filters) + more })}
    </span>
  );
}
