'use client';

import { Button, Checkbox, Group, NativeSelect, Stack, TagsInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { KINDS, PROFILES } from '@/lib/core/attempt';
import { ACTIONS } from '@/lib/core/verdict';
import type { FilterField, ScopeFilters } from '@/lib/present/scope';
import type { FilterChoices } from './filter-bar.client';
import { useFilterWords } from './use-filter-words';

const CLOSED: Partial<Record<FilterField, readonly string[]>> = { kind: KINDS, action: ACTIONS, profile: PROFILES };

interface FilterEditorProps {
  field: FilterField;
  /** Fields to choose from; one = it is settled. */
  fields: readonly FilterField[];
  filters: ScopeFilters;
  choices: FilterChoices;
  onApply: (field: FilterField, values: readonly string[]) => void;
  onCancel: () => void;
}

/** Field and values of one filter; nothing changes before Apply. */
export function FilterEditor({ field: first, fields, filters, choices, onApply, onCancel }: FilterEditorProps) {
  const t = useTranslations('common');
  const [field, setField] = useState(first);
  const [values, setValues] = useState<string[]>([...(filters[first] ?? [])]);
  const [listOpened, setListOpened] = useState(false);
  const closed = CLOSED[field];
  const words = useFilterWords();
  const choose = (next: FilterField): void => {
    setField(next);
    setValues([...(filters[next] ?? [])]);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(field, values);
      }}
    >
      {fields.length > 1 ? (
        <NativeSelect
          size="xs"
          label={t('filter.field')}
          value={field}
          onChange={(event) => choose(fields.find((one) => one === event.currentTarget.value) ?? first)}
          data={fields.map((one) => ({ value: one, label: t(`filter.${one}`) }))}
          data-autofocus
        />
      ) : null}
      {closed ? (
        <Checkbox.Group label={t('filter.values')} size="xs" mt={6} value={values} onChange={setValues}>
          <Stack gap={6} mt={4}>
            {closed.map((value) => (
              <Checkbox key={value} size="xs" value={value} label={words(field, value)} />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : (
        <TagsInput
          size="xs"
          mt={6}
          label={t('filter.values')}
          description={t('filter.valuesHint')}
          value={values}
          onChange={(next) => {
            setValues(next);
            // The list would lie over the button that comes next.
            setListOpened(false);
          }}
          dropdownOpened={listOpened}
          onDropdownOpen={() => setListOpened(true)}
          onDropdownClose={() => setListOpened(false)}
          data={[...(choices[field] ?? [])].filter((value) => value !== '')}
          comboboxProps={{ withinPortal: false }}
          maxDropdownHeight={180}
          splitChars={[]}
          acceptValueOnBlur
          clearable
          limit={100}
        />
      )}
      <Group justify="flex-end" mt="sm" gap="xs">
        <Button variant="default" size="xs" onClick={onCancel}>
          {t('filter.cancel')}
        </Button>
        <Button type="submit" size="xs">
          {t('filter.apply')}
        </Button>
      </Group>
    </form>
  );
}
