'use client';

import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { hiddenColumnsCookie, preferenceCookie, type ChoosableTable } from '@/lib/core/preference';
import classes from './data-table.module.css';

interface ColumnsMenuProps {
  table: ChoosableTable;
  /** Those that may be left out, in their order. */
  columns: { id: string; label: string }[];
  hidden: readonly string[];
}

/** Chooses the columns of a table. Kept in a cookie, so that the server's first byte already has the right table. */
export function ColumnsMenu({ table, columns, hidden: kept }: ColumnsMenuProps) {
  const t = useTranslations('common.table');
  const router = useRouter();
  const [hidden, setHidden] = useState(kept);
  const choose = (next: readonly string[]): void => {
    setHidden(next);
    document.cookie = preferenceCookie(hiddenColumnsCookie(table), next.join('.'), location.protocol === 'https:');
    router.refresh();
  };
  const shown = columns.filter(({ id }) => !hidden.includes(id)).map(({ id }) => id);
  return (
    <div className={classes.tools}>
      <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button variant="subtle" color="gray" size="compact-xs" leftSection={<IconColumns3 size={14} aria-hidden />}>
            {t('columns', { shown: shown.length, all: columns.length })}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('chooseColumns')}>
          <Checkbox.Group
            label={t('chooseColumns')}
            size="xs"
            value={shown}
            onChange={(ids) => {
              // What this list doesn't show now (another tab of the queue has it) stays as it was chosen.
              const others = hidden.filter((id) => columns.every((column) => column.id !== id));
              choose([...others, ...columns.flatMap(({ id }) => (ids.includes(id) ? [] : [id]))]);
            }}
          >
            <Stack gap={6} mt={6}>
              {columns.map(({ id, label }) => (
                <Checkbox key={id} size="xs" value={id} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
