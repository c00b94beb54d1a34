'use client';

import { Button, Popover, UnstyledButton } from '@mantine/core';
import { IconFilterPlus, IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { useState, useTransition } from 'react';
import { FILTER_FIELDS, type FilterField, type ScopeFilters } from '@/lib/present/scope';
import { FilterEditor } from './filter-editor.client';
import { useFilterWords } from './use-filter-words';
import classes from './filters.module.css';
import { cursorParsers, filterParsers } from './search-params';

/** Values that exist, by field; a closed field needs none. */
export type FilterChoices = Partial<Record<FilterField, readonly string[]>>;

interface FilterBarProps {
  filters: ScopeFilters;
  choices: FilterChoices;
  /** Fields this page can be narrowed by. Default: all. */
  fields?: readonly FilterField[];
}

const NONE = Object.fromEntries(FILTER_FIELDS.map((field) => [field, null])) as Record<FilterField, null>;

/** The filters in force as chips, and a way to add one. The URL is the only place they are kept. */
export function FilterBar({ filters, choices, fields = FILTER_FIELDS }: FilterBarProps) {
  const t = useTranslations('common.filter');
  const words = useFilterWords();
  const [editing, setEditing] = useState<FilterField | 'new' | null>(null);
  const [busy, startTransition] = useTransition();
  const [, setQuery] = useQueryStates(
    { ...filterParsers, ...cursorParsers },
    { shallow: false, history: 'push', startTransition },
  );
  const active = fields.filter((field) => (filters[field]?.length ?? 0) > 0);
  const apply = (field: FilterField, values: readonly string[]): void => {
    setEditing(null);
    void setQuery({ [field]: values.length > 0 ? [...values] : null, cursor: null });
  };
  return (
    <>
      {active.map((field) => {
        const values = filters[field] ?? [];
        const text = values.map((value) => words(field, value)).join(` ${t('or')} `);
        return (
          <span key={field} className={classes.chip}>
            <UnstyledButton
              className={classes.chipText}
              aria-label={t('edit', { field: t(field), values: text })}
              onClick={() => setEditing(field)}
            >
              <span className={classes.chipField}>{t(field)}: </span>
              <span className={classes.chipValue}>{text}</span>
            </UnstyledButton>
            <UnstyledButton
              className={classes.chipRemove}
              aria-label={t('remove', { field: t(field) })}
              onClick={() => apply(field, [])}
            >
              <IconX size={13} aria-hidden />
            </UnstyledButton>
          </span>
        );
      })}
      <Popover
        opened={editing !== null}
        onChange={(opened) => (opened ? undefined : setEditing(null))}
        position="bottom-start"
        shadow="md"
        width={300}
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant="subtle"
            size="xs"
            loading={busy}
            leftSection={<IconFilterPlus size={15} aria-hidden />}
            onClick={() => setEditing(editing === null ? 'new' : null)}
          >
            {t('add')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('label')}>
          {editing === null ? null : (
            <FilterEditor
              key={editing}
              field={editing === 'new' ? (fields.find((field) => !active.includes(field)) ?? fields[0]!) : editing}
              fields={editing === 'new' ? fields : [editing]}
              filters={filters}
              choices={choices}
              onApply={apply}
              onCancel={() => setEditing(null)}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {active.length > 1 ? (
        <Button variant="subtle" color="gray" size="xs" onClick={() => void setQuery({ ...NONE, cursor: null })}>
          {t('clear')}
        </Button>
      ) : null}
    </>
  );
}
