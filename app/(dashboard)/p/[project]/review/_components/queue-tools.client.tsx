'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useRef, useState, type ReactNode } from 'react';
import { KeysDialog } from '@/app/_components/list/keys-dialog.client';
import { usePageKeys } from '@/app/_components/list/use-page-keys.client';
import { reviewItemPath } from '@/lib/present/routes';
import { takeNext, type ReviewAnswer } from './review-api';
import { useAnswerText } from './use-answer-text.client';
import classes from './review.module.css';

interface QueueToolsProps {
  slug: string;
  mayWork: boolean;
  /** The list, whose rows the keys move through. */
  children: ReactNode;
}

const ROW_LINK = 'tbody tr[data-linked] > th a';

/** "Take next" above the list, and its keys: j and k move through the rows, Enter opens the one in focus. */
export function QueueTools({ slug, mayWork, children }: QueueToolsProps) {
  const t = useTranslations('review');
  const router = useRouter();
  const say = useAnswerText();
  const list = useRef<HTMLDivElement>(null);
  const [keysOpened, setKeysOpened] = useState(false);
  const [answer, setAnswer] = useState<ReviewAnswer | null>(null);
  const [asking, setAsking] = useState(false);

  const move = (by: 1 | -1): void => {
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>(ROW_LINK) ?? [])];
    const row = document.activeElement?.closest('tr');
    const at = links.findIndex((link) => link.closest('tr') === row);
    const next = at < 0 ? (by === 1 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by));
    links[next]?.focus();
    links[next]?.scrollIntoView({ block: 'nearest' });
  };
  const take = async (): Promise<void> => {
    if (!mayWork || asking) return;
    setAsking(true);
    const said = await takeNext(slug, {});
    setAnswer(said);
    if (said.kind === 'done' && said.item) return router.push(reviewItemPath(slug, said.item.id));
    setAsking(false);
  };
  usePageKeys({
    KeyJ: () => move(1),
    KeyK: () => move(-1),
    KeyN: () => void take(),
    '?': () => setKeysOpened(true),
  });
  const nothing = answer?.kind === 'done' && !answer.item;
  return (
    <>
      <div className={classes.tools}>
        {mayWork ? (
          <Button size="xs" loading={asking} onClick={() => void take()}>
            {t('list.takeNext')}
          </Button>
        ) : null}
        <Button size="xs" variant="subtle" color="gray" onClick={() => setKeysOpened(true)}>
          {t('list.keys')} ?
        </Button>
        <span role="status" className={classes.toolsStatus} data-bad={(answer !== null && !nothing) || undefined}>
          {nothing ? t('list.noneToTake') : answer ? say(answer) : null}
        </span>
      </div>
      <div ref={list}>{children}</div>
      <KeysDialog
        opened={keysOpened}
        onClose={() => setKeysOpened(false)}
        keys={[
          { key: 'j', does: t('keys.next') },
          { key: 'k', does: t('keys.previous') },
          { key: 'Enter', does: t('keys.enter') },
          ...(mayWork ? [{ key: 'n', does: t('keys.take') }] : []),
          { key: '?', does: t('keys.help') },
        ]}
      />
    </>
  );
}
