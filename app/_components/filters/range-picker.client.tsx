'use client';

import { Button, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { IconCalendarTime, IconChevronDown } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { useState, useTransition, type FormEvent } from 'react';
import { RANGE_MS_MAX, RANGE_WORDS, type RangeWord } from '@/lib/present/range';
import { fromFieldText } from '@/lib/present/wall-time';
import classes from './filters.module.css';
import { cursorParsers, rangeParsers } from './search-params';

interface RangePickerProps {
  word: RangeWord | null;
  tz: string;
  /** `30 Nov, 09:00 – 30 Nov, 10:00`. */
  spanLabel: string;
  zoneLabel: string;
  /** The range as two datetime-local texts in `tz`. */
  fromField: string;
  toField: string;
}

/** Chooses the range of the whole page. Relative ones stay words in the URL, absolute ones are two instants. */
export function RangePicker(props: RangePickerProps) {
  const t = useTranslations('common.range');
  const [opened, setOpened] = useState(false);
  const [busy, startTransition] = useTransition();
  const [, setQuery] = useQueryStates(
    { ...rangeParsers, ...cursorParsers },
    { shallow: false, history: 'push', startTransition },
  );
  const pickWord = (word: RangeWord): void => {
    setOpened(false);
    void setQuery({ last: word, from: null, to: null, cursor: null });
  };
  const pickSpan = (from: number, to: number): void => {
    setOpened(false);
    const iso = (at: number): string => new Date(at).toISOString();
    void setQuery({ last: null, from: iso(from), to: iso(to), cursor: null });
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          loading={busy}
          leftSection={<IconCalendarTime size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          onClick={() => setOpened(!opened)}
          aria-label={`${t('label')}: ${props.word ? t(`last.${props.word}`) : props.spanLabel}`}
        >
          {props.word ? t(`last.${props.word}`) : props.spanLabel}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('label')}>
        <div className={classes.rangePanes}>
          <div className={classes.rangeList} role="group" aria-label={t('relative')}>
            {RANGE_WORDS.map((word) => (
              <UnstyledButton
                key={word}
                className={classes.rangeWord}
                aria-pressed={word === props.word}
                onClick={() => pickWord(word)}
              >
                {t(`last.${word}`)}
              </UnstyledButton>
            ))}
          </div>
          <SpanForm key={`${props.fromField}${props.toField}`} {...props} onPick={pickSpan} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

type SpanFormProps = RangePickerProps & { onPick: (from: number, to: number) => void };

function SpanForm({ tz, zoneLabel, fromField, toField, onPick }: SpanFormProps) {
  const t = useTranslations('common.range');
  const [from, setFrom] = useState(fromField);
  const [to, setTo] = useState(toField);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const start = fromFieldText(from, tz);
    const end = fromFieldText(to, tz);
    if (start === null || end === null) return setProblem(t('wrongTime'));
    if (end <= start) return setProblem(t('wrongOrder'));
    if (end - start > RANGE_MS_MAX) return setProblem(t('tooLong', { days: RANGE_MS_MAX / 86_400_000 }));
    onPick(start, end);
  };
  return (
    <form onSubmit={submit} aria-label={t('absolute')}>
      <TextInput
        type="datetime-local"
        size="xs"
        label={t('from')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        size="xs"
        mt={6}
        label={t('to')}
        value={to}
        error={problem}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <p className={classes.hint}>{zoneLabel}</p>
      <Button type="submit" size="xs" fullWidth>
        {t('apply')}
      </Button>
    </form>
  );
}
