'use client';

import { CopyButton } from '@/app/_components/form/copy-button.client';
import { useTranslations } from 'next-intl';
import classes from '../overview.module.css';

/** A command to run, with a button that copies it. */
export function CommandBox({ command }: { command: string }) {
  const t = useTranslations('overview.first');
  return (
    <>
      <pre className={classes.command} tabIndex={0} aria-label={t('command')}>
        {command}
      </pre>
      <CopyButton value={command} label={t('command')} />
    </>
  );
}
