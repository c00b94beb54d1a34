'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRef, useState, type ReactNode } from 'react';
import { KeysDialog } from '@/app/_components/list/keys-dialog.client';
import { usePageKeys } from '@/app/_components/list/use-page-keys.client';
import { TakeNextStatus, useTakeNext } from './take-next.client';
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
  const next = useTakeNext(slug);
  const list = useRef<HTMLDivElement>(null);
  const [keysOpened, setKeysOpened] = useState(false);

  const move = (by: 1 | -1): void => {
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>(ROW_LINK) ?? [])];
    const row = document.activeElement?.closest('tr');
    const at = links.findIndex((link) => link.closest('tr') === row);
    const to = at < 0 ? (by === 1 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by));
    links[to]?.focus();
    links[to]?.scrollIntoView({ block: 'nearest' });
  };
  usePageKeys({
    KeyJ: () => move(1),
    KeyK: () => move(-1),
    KeyN: () => (mayWork ? void next.take() : undefined),
    '?': () => setKeysOpened(true),
  });
  return (
    <>
      <div className={classes.tools}>
        {mayWork ? (
          <Button size="xs" loading={next.asking} onClick={() => void next.take()}>
            {t('list.takeNext')}
          </Button>
        ) : null}
        <Button size="xs" variant="subtle" color="gray" onClick={() => setKeysOpened(true)}>
          {t('list.keys')} ?
        </Button>
        <TakeNextStatus said={next.said} />
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
