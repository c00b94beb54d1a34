'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { KEY_MODES, KINDS, OUTCOMES } from '@/lib/core/attempt';
import type { TryFields } from '@/lib/present/try-event';
import classes from './rules.module.css';

const METHODS = ['', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const KEY_LABELS = { server: 'keyServer', client_dedupe: 'keyClient', none: 'keyNone' } as const;

interface TryFieldsetProps {
  fields: TryFields;
  onChange: (fields: TryFields) => void;
}

export function TryFieldset({ fields, onChange }: TryFieldsetProps) {
  const t = useTranslations('rules.try');
  const word = useTranslations('common');
  const outcome = useTranslations('operations.outcome');
  const text = (name: 'call' | 'status' | 'code' | 'error' | 'retryAfter', mono = true) => (
    <TextInput
      size="xs"
      label={t(name)}
      value={fields[name]}
      onChange={(event) => onChange({ ...fields, [name]: event.currentTarget.value })}
      styles={mono ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : undefined}
      inputMode={name === 'status' ? 'numeric' : undefined}
      maxLength={300}
      spellCheck={false}
      autoComplete="off"
    />
  );
  const select = (name: 'kind' | 'method' | 'outcome' | 'keyMode', data: { value: string; label: string }[]) => (
    <NativeSelect
      size="xs"
      label={t(name)}
      value={fields[name]}
      onChange={(event) => onChange({ ...fields, [name]: event.currentTarget.value })}
      data={data}
    />
  );
  return (
    <div className={classes.pair}>
      {select(
        'kind',
        KINDS.map((value) => ({ value, label: word(`kind.${value}`) })),
      )}
      {select(
        'method',
        METHODS.map((value) => ({ value, label: value || word('notSet') })),
      )}
      {text('call')}
      {text('status')}
      {text('code')}
      {text('error')}
      {text('retryAfter')}
      {select('outcome', [
        { value: '', label: t('outcomeNone') },
        ...OUTCOMES.map((value) => ({ value, label: outcome(value) })),
      ])}
      {select('keyMode', [
        { value: '', label: t('keyNone') },
        ...KEY_MODES.filter((mode) => mode !== 'none').map((value) => ({ value, label: t(KEY_LABELS[value]) })),
      ])}
    </div>
  );
}
