'use client';

import { Alert, Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ChangeList } from './change-list';
import { JobProgress } from './job-progress';
import { SaveText } from './save-text';
import { useWhatIf, WHAT_IF_RANGES, type WhatIf } from './use-what-if';
import type { Judging } from './use-judging';
import { WhatIfResult } from './what-if-result';

/** Tries the typed changes on stored operations: progress, a way to stop, what would move, and only then applying. */
export function WhatIfDialog({ slug, judging, onClose }: { slug: string; judging: Judging; onClose: () => void }) {
  const t = useTranslations('settings.whatIf');
  const whatIf = useWhatIf(slug, judging.read.change);
  const [applying, setApplying] = useState(false);
  const apply = async (): Promise<void> => {
    setApplying(true);
    const saved = await judging.save();
    setApplying(false);
    if (saved) onClose();
  };
  // Closing leaves no job behind that nobody waits for.
  const close = (): void => {
    if (whatIf.going) void whatIf.cancel();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={t('title')} size="lg" closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap="sm">
        <div>
          <Text size="sm" fw={600}>
            {t('yours')}
          </Text>
          <ChangeList changes={judging.mine} />
        </div>
        <PreviewStart whatIf={whatIf} />
        <PreviewState whatIf={whatIf} />
        {judging.note && judging.note.kind !== 'saved' ? <SaveText note={judging.note} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('close')}
          </Button>
          <Button disabled={whatIf.going} loading={applying} onClick={() => void apply()}>
            {t('apply')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function PreviewStart({ whatIf }: { whatIf: WhatIf }) {
  const t = useTranslations('settings.whatIf');
  const range = useTranslations('common.range.last');
  return (
    <div>
      <Text size="sm" c="dimmed" mb={6}>
        {t('intro')}
      </Text>
      <Group align="flex-end" gap="xs">
        <NativeSelect
          size="xs"
          label={t('range')}
          value={whatIf.range}
          disabled={whatIf.going}
          onChange={(event) => {
            const next = WHAT_IF_RANGES.find((one) => one === event.currentTarget.value);
            if (next) whatIf.setRange(next);
          }}
          data={WHAT_IF_RANGES.map((one) => ({ value: one, label: one === 'all' ? t('all') : range(one) }))}
        />
        <Button
          size="xs"
          variant="light"
          loading={whatIf.starting}
          disabled={whatIf.going}
          onClick={() => void whatIf.start()}
        >
          {whatIf.job ? t('again') : t('start')}
        </Button>
      </Group>
    </div>
  );
}

function PreviewState({ whatIf }: { whatIf: WhatIf }) {
  const t = useTranslations('settings.whatIf');
  const { job, refused, foreign } = whatIf;
  return (
    <div aria-live="polite">
      {refused ? (
        <Alert color="red" p="xs">
          {refused}
        </Alert>
      ) : null}
      {foreign ? (
        <Text size="sm" mb={6}>
          {t('running', { name: foreign.requestedBy })}
        </Text>
      ) : null}
      {whatIf.lost ? <Text size="sm">{t('lost')}</Text> : null}
      {job && whatIf.going ? (
        <JobProgress
          job={job}
          label={t('progressLabel')}
          cancelLabel={t('cancel')}
          onCancel={() => void whatIf.cancel()}
        />
      ) : null}
      {job?.state === 'cancelled' ? <Text size="sm">{t('cancelled')}</Text> : null}
      {job?.state === 'failed' ? (
        <Alert color="red" p="xs">
          {t('failed', { error: job.error ?? '' })}
        </Alert>
      ) : null}
      {job?.state === 'done' && job.preview && !foreign ? <WhatIfResult result={job.preview} /> : null}
    </div>
  );
}
