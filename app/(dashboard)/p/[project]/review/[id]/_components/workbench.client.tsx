'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { KeysDialog } from '@/app/_components/list/keys-dialog.client';
import { usePageKeys } from '@/app/_components/list/use-page-keys.client';
import type { Fact } from '@/lib/core/attempt';
import { RESOLUTIONS, type Resolution } from '@/lib/core/operation';
import { sectionPath } from '@/lib/present/routes';
import type { ReviewItemView } from '@/lib/queries/views';
import { AnswerNotice } from './answer-notice.client';
import { ClaimBar } from './claim-bar.client';
import { ResolvedPart } from './resolved-part.client';
import { ResolveForm } from './resolve-form.client';
import { SnoozeForm } from './snooze-form.client';
import { TextForm } from './text-form.client';
import { useLease, useNow } from './use-lease.client';
import { useReviewWork, type ReviewWork } from './use-review-work.client';
import classes from './item.module.css';

interface WorkbenchProps {
  slug: string;
  item: ReviewItemView;
  readBacks: Fact[];
  actorId: string;
  mayWork: boolean;
  mayTakeOver: boolean;
  /** The server's time, epoch ms. */
  now: number;
  leaseMs: number;
  snoozeMs: number;
}

const CLOCK_MS = 10_000;

/** Leaving with unsaved words asks first. */
function useLeaveGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
}

function useHolding({ slug, item, actorId, leaseMs, now }: WorkbenchProps, work: ReviewWork) {
  const time = useNow(now, CLOCK_MS);
  const mine = item.state === 'claimed' && item.assignee?.id === actorId;
  const lease = useLease({ slug, id: item.id, leaseMs }, mine ? item.leaseUntil : null, work.refresh);
  const leftMs = (item.leaseUntil ?? 0) - time;
  const other =
    item.state === 'claimed' && !mine && item.assignee && leftMs > 0 ? { name: item.assignee.name, leftMs } : null;
  return { time, lease, other };
}

/** Everything that can be done with the item, beside its story. */
export function Workbench(props: WorkbenchProps) {
  const { slug, item, mayWork, mayTakeOver, snoozeMs } = props;
  const t = useTranslations('review');
  const router = useRouter();
  const work = useReviewWork(slug, item);
  const { time, lease, other } = useHolding(props, work);
  const reason = useRef<HTMLTextAreaElement>(null);
  const until = useRef<HTMLInputElement>(null);
  const [keysOpened, setKeysOpened] = useState(false);
  const mayDecide = mayWork && item.state !== 'resolved' && other === null;
  useLeaveGuard(work.dirty);

  const choose = (resolution: Resolution): void => {
    if (!mayDecide) return;
    work.change({ resolution });
    reason.current?.focus();
  };
  usePageKeys({
    ...Object.fromEntries(RESOLUTIONS.map((choice, place) => [`Digit${place + 1}`, () => choose(choice)])),
    KeyC: () => (mayDecide && lease.until === null ? void work.ask('claim', {}) : undefined),
    KeyN: () => reason.current?.focus(),
    KeyZ: () => until.current?.focus(),
    KeyU: () => router.push(sectionPath(slug, 'review')),
    '?': () => setKeysOpened(true),
  });

  return (
    <section
      id="decide"
      className={classes.work}
      aria-labelledby="decide-title"
      data-live-busy={work.dirty || undefined}
    >
      <h2 id="decide-title">{t('item.whatIsTrue')}</h2>
      <AnswerNotice work={work} />
      <p role="status" className={classes.quiet}>
        {work.answer?.kind === 'done' ? t('form.saved') : null}
      </p>
      {mayWork ? (
        <ClaimBar work={work} item={item} lease={lease} other={other} mayTakeOver={mayTakeOver} now={time} />
      ) : (
        <p className={classes.quiet}>{t('item.viewer')}</p>
      )}
      <ResolvedPart slug={slug} work={work} item={item} mayWork={mayWork} />
      {mayDecide ? (
        <>
          <h3>{t('item.decide')}</h3>
          <ResolveForm work={work} item={item} readBacks={props.readBacks} reasonRef={reason} />
          <h3>{t('form.snoozeTitle')}</h3>
          <SnoozeForm work={work} snoozeMs={snoozeMs} now={time} untilRef={until} />
        </>
      ) : null}
      {mayWork ? (
        <>
          <h3>{t('form.noteTitle')}</h3>
          <TextForm
            label={t('form.noteText')}
            submit={t('form.noteSave')}
            value={work.draft.note}
            busy={work.busy === 'note'}
            onChange={(note) => work.change({ note })}
            onSubmit={(note) => void work.ask('note', { note })}
          />
        </>
      ) : null}
      <div className={classes.buttons}>
        <Button size="xs" variant="subtle" color="gray" mt="xs" onClick={() => setKeysOpened(true)}>
          {t('list.keys')} ?
        </Button>
      </div>
      <KeysDialog
        opened={keysOpened}
        onClose={() => setKeysOpened(false)}
        keys={[
          ...(mayDecide
            ? RESOLUTIONS.map((choice, place) => ({
                key: String(place + 1),
                does: t('keys.outcome', { resolution: t(`resolution.${choice}`) }),
              }))
            : []),
          ...(mayDecide
            ? [
                { key: 'c', does: t('keys.claim') },
                { key: 'n', does: t('keys.note') },
                { key: 'z', does: t('keys.snooze') },
              ]
            : []),
          { key: 'u', does: t('keys.back') },
          { key: '?', does: t('keys.help') },
        ]}
      />
    </section>
  );
}
