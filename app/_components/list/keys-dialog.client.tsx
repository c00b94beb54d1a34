'use client';

import { Kbd, Modal } from '@mantine/core';
import { useTranslations } from 'next-intl';
import classes from './list.module.css';

export interface KeyHelp {
  /** What is printed on the key. */
  key: string;
  does: string;
}

interface KeysDialogProps {
  opened: boolean;
  onClose: () => void;
  keys: readonly KeyHelp[];
}

/** Every key of the page and what it does. */
export function KeysDialog({ opened, onClose, keys }: KeysDialogProps) {
  const t = useTranslations('review.keys');
  return (
    <Modal opened={opened} onClose={onClose} title={t('title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <dl className={classes.keys}>
        {keys.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>{t('idle')}</p>
    </Modal>
  );
}
