'use client';

import { Button, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import classes from './item.module.css';

interface TextFormProps {
  label: string;
  submit: string;
  value: string;
  busy: boolean;
  onChange: (text: string) => void;
  /** Called with the trimmed text, never with an empty one. */
  onSubmit: (text: string) => void;
}

/** One text and one button: a note, or the reason for reopening. */
export function TextForm({ label, submit, value, busy, onChange, onSubmit }: TextFormProps) {
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (value.trim() !== '') onSubmit(value.trim());
  };
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <Textarea
        size="xs"
        label={label}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" size="xs" variant="default" loading={busy} disabled={value.trim() === ''}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
