'use client';

import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryStates } from 'nuqs';
import { useState, useTransition, type FormEvent } from 'react';
import classes from './list.module.css';

interface SearchBoxProps {
  label: string;
  placeholder: string;
  /** The text searched for now. */
  q: string;
}

/** Longest text that the lists search for. */
const SEARCH_CHARS_MAX = 200;

/** Looks for an id; kept in the URL as `q`. The page after a search is the first one. */
export function SearchBox({ label, placeholder, q }: SearchBoxProps) {
  const t = useTranslations('operations.search');
  const [busy, startTransition] = useTransition();
  const [, setQuery] = useQueryStates(
    { q: parseAsString, cursor: parseAsString },
    { shallow: false, history: 'push', startTransition },
  );
  const [text, setText] = useState(q);
  const [shown, setShown] = useState(q);
  if (shown !== q) {
    setShown(q);
    setText(q);
  }
  const find = (value: string): void => {
    setText(value);
    void setQuery({ q: value.trim() === '' ? null : value.trim(), cursor: null });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    find(text);
  };
  return (
    <form className={classes.search} role="search" onSubmit={submit}>
      <TextInput
        className={classes.searchField}
        type="search"
        size="xs"
        aria-label={label}
        placeholder={placeholder}
        maxLength={SEARCH_CHARS_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={14} aria-hidden />}
      />
      <Button type="submit" size="xs" variant="default" loading={busy}>
        {t('submit')}
      </Button>
      {q === '' ? null : (
        <Button size="xs" variant="subtle" color="gray" onClick={() => find('')}>
          {t('clear')}
        </Button>
      )}
    </form>
  );
}
