import { useLocale, useTranslations } from 'next-intl';
import { formatInstant } from '@/lib/present/instant';
import type { FilterField, Scope } from '@/lib/present/scope';
import { formatOffset, toFieldText } from '@/lib/present/wall-time';
import { FilterBar, type FilterChoices } from './filter-bar.client';
import classes from './filters.module.css';
import { RangePicker } from './range-picker.client';

interface ScopeBarProps {
  scope: Scope;
  now: number;
  choices: FilterChoices;
  fields?: readonly FilterField[];
  /** A list without a time of its own (the queue) leaves the range out. */
  withRange?: boolean;
}

/** Range, zone and filters of the page, all kept in the URL, and what of the URL could not be used. */
export function ScopeBar({ scope, now, choices, fields, withRange = true }: ScopeBarProps) {
  const t = useTranslations('common');
  const locale = useLocale();
  const { range } = scope;
  const style = { locale, tz: range.tz };
  const offset = formatOffset(range.to, range.tz);
  const from = formatInstant(range.from, style, now);
  const to = formatInstant(range.to, style, now);
  return (
    <>
      <div className={classes.bar} role="group" aria-label={t('filter.label')}>
        {withRange ? (
          <RangePicker
            word={range.word}
            tz={range.tz}
            spanLabel={t('range.span', { from, to })}
            zoneLabel={t('range.zone', { zone: range.tz, offset })}
            fromField={toFieldText(range.from, range.tz)}
            toField={toFieldText(range.to, range.tz)}
          />
        ) : null}
        <FilterBar filters={scope.filters} choices={choices} fields={fields} />
        {withRange ? (
          <span className={classes.hint}>
            {range.word === null ? null : `${t('range.span', { from, to })} · `}
            {range.tz === offset ? offset : `${range.tz} (${offset})`}
          </span>
        ) : null}
      </div>
      {scope.problems.length > 0 ? (
        <div className={classes.ignored} role="status">
          {t('scope.ignored', {
            list: scope.problems.map((problem) => `${problem.name}=${problem.value}`).join(', '),
          })}
        </div>
      ) : null}
    </>
  );
}
