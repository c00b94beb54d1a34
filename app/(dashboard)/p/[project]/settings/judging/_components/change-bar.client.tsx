'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import classes from './judging.module.css';
import { SaveText } from './save-text';
import type { Judging } from './use-judging';

/** What was typed and not saved yet, and what can be done with it; always in sight. */
export function ChangeBar({ judging, onPreview }: { judging: Judging; onPreview: () => void }) {
  const t = useTranslations('settings.judging.bar');
  const { read, faulty, dirty, busy, note } = judging;
  const ready = read.changes > 0 && !faulty;
  return (
    <section className={classes.bar} aria-label={t('label')}>
      <div role="status">
        <strong>{t('count', { count: read.changes })}</strong> {faulty ? t('faults') : null}
        {note ? <SaveText note={note} /> : null}
      </div>
      <div className={classes.barTools}>
        <Button variant="subtle" color="gray" size="xs" disabled={!dirty} onClick={judging.discard}>
          {t('discard')}
        </Button>
        <Button variant="default" size="xs" disabled={!ready} onClick={onPreview} aria-haspopup="dialog">
          {t('preview')}
        </Button>
        <Button size="xs" disabled={!ready} loading={busy} onClick={() => void judging.save()}>
          {t('apply')}
        </Button>
      </div>
    </section>
  );
}
