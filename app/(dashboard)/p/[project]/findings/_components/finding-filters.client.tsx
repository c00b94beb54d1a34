'use client';

import { Chip, Group, MultiSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsNativeArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useCheckWords } from '@/app/_components/finding/use-check-words';
import { CHECK_NAMES, type CheckName } from '@/lib/core/check-name';
import { SEVERITIES, type Severity } from '@/lib/core/operation';
import classes from '../findings.module.css';

const parsers = {
  check: parseAsNativeArrayOf(parseAsStringLiteral(CHECK_NAMES)),
  severity: parseAsNativeArrayOf(parseAsStringLiteral(SEVERITIES)),
  cursor: parseAsString,
};

interface FindingFiltersProps {
  severity: readonly Severity[];
  /** null on the page of one check. */
  check: readonly CheckName[] | null;
}

/** Narrows to checks and severities; none chosen means all. The URL is the only place they are kept. */
export function FindingFilters({ severity, check }: FindingFiltersProps) {
  const t = useTranslations('findings.filter');
  const words = useTranslations('operations.severity');
  const checkWords = useCheckWords();
  const [, setQuery] = useQueryStates(parsers, { shallow: false, history: 'push' });
  const set = (next: { check?: CheckName[]; severity?: Severity[] }): void => {
    const orNull = <T,>(list: T[] | undefined): T[] | null | undefined => (list?.length === 0 ? null : list);
    void setQuery({ check: orNull(next.check), severity: orNull(next.severity), cursor: null });
  };
  return (
    <div className={classes.filters}>
      <Group gap={6} role="group" aria-label={t('severity')}>
        {SEVERITIES.map((word) => (
          <Chip
            key={word}
            size="xs"
            variant="outline"
            checked={severity.includes(word)}
            onChange={(on) => set({ severity: on ? [...severity, word] : severity.filter((one) => one !== word) })}
          >
            {words(word)}
          </Chip>
        ))}
      </Group>
      {check === null ? null : (
        <MultiSelect
          className={classes.checkFilter}
          size="xs"
          aria-label={t('check')}
          placeholder={check.length === 0 ? t('anyCheck') : undefined}
          data={CHECK_NAMES.map((name) => ({ value: name, label: checkWords(name) }))}
          value={[...check]}
          onChange={(values) => set({ check: CHECK_NAMES.filter((name) => values.includes(name)) })}
          nothingFoundMessage={t('noCheck')}
          clearButtonProps={{ 'aria-label': t('clearChecks') }}
          searchable
          clearable
        />
      )}
    </div>
  );
}
