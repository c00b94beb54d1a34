'use client';

import { Chip, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsNativeArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { OPERATION_STATES, type OperationState } from '@/lib/core/operation';

const parsers = { state: parseAsNativeArrayOf(parseAsStringLiteral(OPERATION_STATES)), cursor: parseAsString };

/** Narrows the list to operations of the ticked states; none ticked means all. */
export function StateFilter({ states }: { states: OperationState[] }) {
  const t = useTranslations('operations.list');
  const words = useTranslations('common.state');
  const [, setQuery] = useQueryStates(parsers, { shallow: false, history: 'push' });
  return (
    <Group gap={6} mb="xs" role="group" aria-label={t('states')}>
      {OPERATION_STATES.map((state) => (
        <Chip
          key={state}
          size="xs"
          variant="outline"
          checked={states.includes(state)}
          onChange={(checked) => {
            const next = checked ? [...states, state] : states.filter((one) => one !== state);
            void setQuery({ state: next.length > 0 ? next : null, cursor: null });
          }}
        >
          {words(state)}
        </Chip>
      ))}
    </Group>
  );
}
