'use client';

import { Button, Kbd, Radio, Stack, Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState, type FormEvent, type Ref } from 'react';
import type { Fact } from '@/lib/core/attempt';
import { RESOLUTIONS, type Resolution } from '@/lib/core/operation';
import { demandReason } from '@/lib/core/review-reason';
import type { ReviewItemView } from '@/lib/queries/views';
import type { ReviewWork } from './use-review-work.client';
import classes from './item.module.css';

interface ResolveFormProps {
  work: ReviewWork;
  item: ReviewItemView;
  readBacks: Fact[];
  reasonRef: Ref<HTMLTextAreaElement>;
}

const NOTE_CHARS_MAX = 4_000;
const EVIDENCE_CHARS_MAX = 2_000;

function isResolution(value: string): value is Resolution {
  return RESOLUTIONS.some((resolution) => resolution === value);
}

/** Five outcomes, each with what it means, and the reason that every judgement carries. */
export function ResolveForm({ work, item, readBacks, reasonRef }: ResolveFormProps) {
  const t = useTranslations('review');
  const { resolution, reason, evidence } = work.draft;
  const [missing, setMissing] = useState<'outcome' | 'reason' | null>(null);
  const demand =
    resolution === null
      ? null
      : demandReason({ resolution, suggestion: item.suggestion, facts: readBacks, doubtUntil: item.doubtUntil });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const lacks = resolution === null ? 'outcome' : reason.trim() === '' ? 'reason' : null;
    setMissing(lacks);
    if (lacks === 'reason') form.querySelector<HTMLTextAreaElement>('[name="reason"]')?.focus();
    if (lacks === 'outcome') form.querySelector<HTMLInputElement>('[type="radio"]')?.focus();
    if (lacks) return;
    const rest = evidence.trim() === '' ? {} : { evidence: evidence.trim() };
    void work.ask('resolve', { resolution, note: reason.trim(), ...rest });
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Radio.Group
        name="resolution"
        label={t('form.outcome')}
        value={resolution ?? ''}
        onChange={(value) => {
          setMissing(null);
          if (isResolution(value)) work.change({ resolution: value });
        }}
        error={missing === 'outcome' ? t('form.outcomeMissing') : null}
      >
        <Stack gap={6} mt={4}>
          {RESOLUTIONS.map((choice, place) => (
            <Radio
              key={choice}
              size="xs"
              value={choice}
              label={
                <span className={classes.outcome}>
                  {t(`resolution.${choice}`)} <Kbd size="xs">{place + 1}</Kbd>
                </span>
              }
              description={t(`resolutionMeaning.${choice}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        ref={reasonRef}
        name="reason"
        label={t('form.note')}
        description={demand ? t(`form.noteDue.${demand}`) : t('form.noteHint')}
        required
        autosize
        minRows={3}
        maxRows={10}
        maxLength={NOTE_CHARS_MAX}
        value={reason}
        onChange={(event) => {
          setMissing(null);
          work.change({ reason: event.currentTarget.value });
        }}
        error={missing === 'reason' ? t('form.noteMissing') : null}
      />
      <Textarea
        label={t('form.evidence')}
        description={t('form.evidenceHint')}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={EVIDENCE_CHARS_MAX}
        value={evidence}
        onChange={(event) => work.change({ evidence: event.currentTarget.value })}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={work.busy === 'resolve'}>
          {resolution === null ? t('form.resolve') : t('form.resolveAs', { resolution: t(`resolution.${resolution}`) })}
        </Button>
      </div>
    </form>
  );
}
