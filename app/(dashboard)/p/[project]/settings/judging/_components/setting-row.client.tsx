'use client';

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { SETTING_BOUNDS } from '@/lib/core/setting-bounds';
import type { Settings } from '@/lib/core/operation';
import { fieldOf } from '@/lib/present/judging-draft';
import { DURATION_UNITS, writeField, type FieldText } from '@/lib/present/setting-field';
import type { ProjectSettingsView } from '@/lib/queries/views';
import classes from './judging.module.css';
import { useSettingWords } from './use-change-words';
import type { Judging } from './use-judging';

interface SettingRowProps {
  name: keyof Settings;
  manages: boolean;
  view: ProjectSettingsView;
  judging: Judging;
}

/** One setting: its value with the unit, the default beside it, and a way back to it. */
export function SettingRow({ name, manages, view, judging }: SettingRowProps) {
  const t = useTranslations('settings.judging');
  const words = useSettingWords();
  const id = `setting-${name}`;
  const bounds = SETTING_BOUNDS[name];
  const field = fieldOf(name, judging.draft, view);
  const set = (next: FieldText): void => judging.change({ fields: { ...judging.draft.fields, [name]: next } });
  const isDefault = judging.draft.fields[name] === undefined && view.settings[name] === view.defaults[name];
  const label = t(`label.${name}`);
  return (
    <div className={classes.row} data-changed={judging.draft.fields[name] !== undefined || undefined}>
      {manages ? (
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
      ) : (
        <span id={id} className={classes.label}>
          {label}
        </span>
      )}
      <div className={classes.field}>
        {manages ? (
          <SettingInput id={id} name={name} field={field} judging={judging} onChange={set} />
        ) : (
          <strong>{words(name, view.settings[name])}</strong>
        )}
      </div>
      <div className={classes.default}>
        <span>{t('default', { value: words(name, view.defaults[name]) })}</span>
        {manages && !isDefault ? (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t('reset', { setting: label })}
            onClick={() => set(writeField(view.defaults[name], bounds))}
          >
            {t('resetShort')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface SettingInputProps {
  id: string;
  name: keyof Settings;
  field: FieldText;
  judging: Judging;
  onChange: (field: FieldText) => void;
}

function SettingInput({ id, name, field, judging, onChange }: SettingInputProps) {
  const t = useTranslations('settings.judging');
  const words = useSettingWords();
  const { unit, min, max } = SETTING_BOUNDS[name];
  const fault = judging.read.settingFaults[name];
  if (unit === 'switch') {
    return (
      <NativeSelect
        id={id}
        size="xs"
        value={field.amount}
        onChange={(event) => onChange({ ...field, amount: event.currentTarget.value })}
        data={[0, 1].map((value) => ({ value: String(value), label: words(name, value) }))}
      />
    );
  }
  return (
    <>
      <TextInput
        id={id}
        className={classes.amount}
        size="xs"
        inputMode="decimal"
        value={field.amount}
        onChange={(event) => onChange({ ...field, amount: event.currentTarget.value })}
        error={fault && t(`fault.${fault}`, { min: words(name, min), max: words(name, max) })}
      />
      {unit === 'ms' ? (
        <NativeSelect
          size="xs"
          aria-label={t('unit.label', { setting: t(`label.${name}`) })}
          value={field.unit}
          onChange={(event) => {
            const chosen = DURATION_UNITS.find((one) => one === event.currentTarget.value);
            if (chosen) onChange({ ...field, unit: chosen });
          }}
          data={DURATION_UNITS.map((one) => ({ value: one, label: t(`unit.${one}`) }))}
        />
      ) : (
        <span className={classes.unit}>{unit === 'count' ? null : t(`unit.${unit}`)}</span>
      )}
    </>
  );
}
