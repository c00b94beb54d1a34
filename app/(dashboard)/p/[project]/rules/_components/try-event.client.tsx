'use client';

import { Alert, Button, JsonInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState, type FormEvent } from 'react';
import type { Profile } from '@/lib/core/attempt';
import { firstTry, writeTryEvent, type TryFields } from '@/lib/present/try-event';
import { askVerdicts, type TryAnswer } from './ask-verdicts';
import classes from './rules.module.css';
import { TryFieldset } from './try-fieldset.client';
import { TryResult } from './try-result';

/** A failure described by hand, judged by the edition on the screen. */
export function TryEvent({ slug, ruleSet, profile }: { slug: string; ruleSet: string; profile: Profile }) {
  const t = useTranslations('rules.try');
  const locale = useLocale();
  const [fields, setFields] = useState<TryFields>(() => firstTry(profile));
  const [json, setJson] = useState<string | null>(null);
  const [answer, setAnswer] = useState<TryAnswer | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    let body: unknown;
    try {
      body = json === null ? writeTryEvent(fields, profile, Date.now()) : (JSON.parse(json) as unknown);
    } catch (error) {
      return setAnswer({ broken: error instanceof Error ? error.message : '' });
    }
    setBusy(true);
    setAnswer(await askVerdicts({ slug, ruleSet, locale, body }));
    setBusy(false);
  };

  return (
    <section className={classes.try} aria-labelledby="try-title">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="xs">
          <div className={classes.tryHead}>
            <div>
              <h2 id="try-title">{t('title')}</h2>
              <Text size="sm" c="dimmed">
                {t('intro')}
              </Text>
            </div>
            <SegmentedControl
              size="xs"
              aria-label={t('mode')}
              value={json === null ? 'form' : 'json'}
              onChange={(mode) =>
                setJson(mode === 'form' ? null : JSON.stringify(writeTryEvent(fields, profile, Date.now()), null, 2))
              }
              data={[
                { value: 'form', label: t('form') },
                { value: 'json', label: t('json') },
              ]}
            />
          </div>
          {json === null ? (
            <TryFieldset fields={fields} onChange={setFields} />
          ) : (
            <JsonInput label={t('jsonLabel')} value={json} onChange={setJson} autosize minRows={8} maxRows={20} />
          )}
          <div>
            <Button type="submit" size="compact-sm" loading={busy}>
              {t('submit')}
            </Button>
          </div>
        </Stack>
      </form>
      <div aria-live="polite">
        {answer && 'broken' in answer ? (
          <Alert color="red" mt="sm">
            {t('jsonBroken', { reason: answer.broken })}
          </Alert>
        ) : null}
        {answer && 'failed' in answer ? (
          <Alert color="red" mt="sm">
            {t('failed')}
          </Alert>
        ) : null}
        {answer && 'results' in answer
          ? answer.results.map((result, place) => <TryResult key={place} result={result} slug={slug} />)
          : null}
      </div>
    </section>
  );
}
