'use client';

import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { PROFILES } from '@/lib/core/attempt';
import type { TargetRow } from '@/lib/present/judging-draft';
import type { ProjectSettingsView } from '@/lib/queries/views';
import classes from './judging.module.css';
import type { Judging } from './use-judging';

interface TargetListProps {
  manages: boolean;
  view: ProjectSettingsView;
  judging: Judging;
}

/** Which rules judge calls to which target, in the order in which patterns are tried. */
export function TargetList({ manages, view, judging }: TargetListProps) {
  const t = useTranslations('settings.judging');
  const profiles = useTranslations('shell.setup.profiles');
  const rows = judging.draft.targets ?? view.targets.map((target, at) => ({ id: at, ...target }));
  const set = (targets: TargetRow[]): void => judging.change({ targets });
  const swap = (a: number, b: number): void => {
    const [left, right] = [rows[a], rows[b]];
    if (left && right) set(rows.map((row, at) => (at === a ? right : at === b ? left : row)));
  };
  const add = (): void => {
    const id = rows.reduce((most, row) => Math.max(most, row.id), -1) + 1;
    set([...rows, { id, pattern: '', profile: 'http' }]);
  };
  return (
    <>
      {rows.length === 0 ? <p className={classes.plain}>{t('targetsNone')}</p> : null}
      <ol className={classes.targets}>
        {rows.map((row, at) =>
          manages ? (
            <TargetFields
              key={row.id}
              row={row}
              place={at + 1}
              last={at === rows.length - 1}
              fault={judging.read.targetFaults[at] ?? null}
              onChange={(next) => set(rows.map((one) => (one.id === row.id ? next : one)))}
              onMove={(by) => swap(at, at + by)}
              onRemove={() => set(rows.filter((one) => one.id !== row.id))}
            />
          ) : (
            <li key={row.id}>
              <code>{row.pattern}</code> → {profiles(row.profile)}
            </li>
          ),
        )}
      </ol>
      {manages ? (
        <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('add')}
        </Button>
      ) : null}
    </>
  );
}

interface TargetFieldsProps {
  row: TargetRow;
  /** From 1. */
  place: number;
  last: boolean;
  fault: Judging['read']['targetFaults'][number];
  onChange: (row: TargetRow) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

function TargetFields({ row, place, last, fault, onChange, onMove, onRemove }: TargetFieldsProps) {
  const t = useTranslations('settings.judging');
  const profiles = useTranslations('shell.setup.profiles');
  const tools = [
    { name: t('up', { place }), icon: IconArrowUp, act: () => onMove(-1), off: place === 1 },
    { name: t('down', { place }), icon: IconArrowDown, act: () => onMove(1), off: last },
    { name: t('remove', { place }), icon: IconTrash, act: onRemove, off: false },
  ];
  return (
    <li className={classes.target}>
      <TextInput
        size="xs"
        aria-label={t('pattern', { place })}
        placeholder={t('patternPlaceholder')}
        value={row.pattern}
        maxLength={300}
        error={fault && t(`targetFault.${fault}`)}
        onChange={(event) => onChange({ ...row, pattern: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label={t('profile', { place })}
        value={row.profile}
        onChange={(event) => {
          const profile = PROFILES.find((one) => one === event.currentTarget.value);
          if (profile) onChange({ ...row, profile });
        }}
        data={PROFILES.map((one) => ({ value: one, label: profiles(one) }))}
      />
      <span className={classes.targetTools}>
        {tools.map(({ name, icon: ToolIcon, act, off }) => (
          <ActionIcon key={name} variant="subtle" color="gray" aria-label={name} onClick={act} disabled={off}>
            <ToolIcon size={15} aria-hidden />
          </ActionIcon>
        ))}
      </span>
    </li>
  );
}
