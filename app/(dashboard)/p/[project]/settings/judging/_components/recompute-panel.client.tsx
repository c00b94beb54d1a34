'use client';

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocale, useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { formatInstant, toIso } from '@/lib/present/instant';
import type { RecomputeJobView } from '@/lib/queries/views';
import { JobProgress } from './job-progress';
import { readJob, startRecompute, type JobWire } from './settings-api';
import { useJob } from './use-job';

interface RecomputePanelProps {
  slug: string;
  manages: boolean;
  tz: string;
  /** Epoch ms of the render. */
  now: number;
  last: RecomputeJobView | null;
  /** A preview under way, whoever asked for it: nothing else can start before its end. */
  preview: RecomputeJobView | null;
}

function toWire(job: RecomputeJobView | null): JobWire | null {
  return job && readJob({ ...job, finishedAt: job.finishedAt === null ? null : toIso(job.finishedAt) });
}

/** The last recomputation, as it goes or as it ended, and a way to start one. */
export function RecomputePanel({ slug, manages, tz, now, last, preview }: RecomputePanelProps) {
  const t = useTranslations('settings.recompute');
  const router = useRouter();
  const watched = useJob(slug, toWire(last));
  const [shown, setShown] = useState(last?.id ?? null);
  // A newer job than the one followed: somebody, or the form below, started it.
  if (last && last.id !== shown) {
    setShown(last.id);
    watched.watch(toWire(last));
  }
  const { job, going } = watched;
  const wasGoing = useRef(going);
  useEffect(() => {
    // What the rest of the page shows is older than the end of the job.
    if (wasGoing.current && !going) router.refresh();
    wasGoing.current = going;
  }, [going, router]);
  return (
    <Stack gap="xs" aria-live="polite">
      {job ? <JobState job={job} tz={tz} now={now} /> : <Text size="sm">{t('never')}</Text>}
      {job && going ? (
        <JobProgress
          job={job}
          label={t('progressLabel')}
          cancelLabel={t('cancel')}
          onCancel={manages ? () => void watched.cancel() : null}
        />
      ) : null}
      {watched.cancelFailed ? <Alert color="red">{t('cancelFailed')}</Alert> : null}
      <Text size="xs" c="dimmed" maw="75ch">
        {t('hint')}
      </Text>
      {preview ? <PreviewUnderWay key={preview.id} slug={slug} manages={manages} job={preview} /> : null}
      {manages && !going ? <StartRecompute slug={slug} onStarted={watched.watch} /> : null}
    </Stack>
  );
}

/** Somebody's preview, or one's own whose dialog a reload took away. */
function PreviewUnderWay({ slug, manages, job: first }: { slug: string; manages: boolean; job: RecomputeJobView }) {
  const t = useTranslations('settings.whatIf');
  const { job, going, cancel } = useJob(slug, toWire(first));
  if (!job || !going) return null;
  return (
    <div>
      <Text size="sm">{t('underWay', { name: job.requestedBy })}</Text>
      <JobProgress
        job={job}
        label={t('progressLabel')}
        cancelLabel={t('cancel')}
        onCancel={manages ? () => void cancel() : null}
      />
    </div>
  );
}

function JobState({ job, tz, now }: { job: JobWire; tz: string; now: number }) {
  const t = useTranslations('settings.recompute.state');
  const locale = useLocale();
  const time = job.finishedAt === null ? '' : formatInstant(Date.parse(job.finishedAt), { locale, tz }, now);
  const failed = job.applied?.failed ?? 0;
  switch (job.state) {
    case 'queued':
    case 'running':
      return <Text size="sm">{t(job.state, { name: job.requestedBy })}</Text>;
    case 'done':
      return (
        <>
          <Text size="sm">
            {t('done', {
              time,
              operations: job.applied?.operations ?? job.done,
              moved: job.applied?.attemptsMoved ?? 0,
            })}
          </Text>
          {failed > 0 ? <Alert color="yellow">{t('failedSome', { count: failed })}</Alert> : null}
        </>
      );
    case 'cancelled':
      return <Text size="sm">{t('cancelled', { time, done: job.done })}</Text>;
    case 'failed':
      return <Alert color="red">{t('failed', { time, error: job.error ?? '' })}</Alert>;
  }
}

/** Asks first: it is safe, but it may take a while. */
function StartRecompute({ slug, onStarted }: { slug: string; onStarted: (job: JobWire) => void }) {
  const t = useTranslations('settings.recompute');
  const close = useTranslations('settings.whatIf')('close');
  const [opened, dialog] = useDisclosure(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const answers = useTranslations('settings.judging.answer');
  const start = async (): Promise<void> => {
    setBusy(true);
    const answer = await startRecompute(slug);
    setBusy(false);
    if (answer.kind === 'done') {
      dialog.close();
      return onStarted(answer.value);
    }
    if (answer.kind === 'running') setRefused(t('busy'));
    else if (answer.kind === 'invalid') setRefused(answer.detail);
    else setRefused(answer.kind === 'busy' ? answers('busy', { seconds: answer.seconds }) : answers(answer.kind));
  };
  return (
    <div>
      <Button variant="default" size="compact-sm" onClick={dialog.open} aria-haspopup="dialog">
        {t('start')}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t('start')} closeButtonProps={{ 'aria-label': close }}>
        <Stack gap="sm">
          {refused === null ? null : <Alert color="red">{t('notStarted', { detail: refused })}</Alert>}
          <Text size="sm">{t('confirm')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              {close}
            </Button>
            <Button loading={busy} onClick={() => void start()}>
              {t('start')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </div>
  );
}
