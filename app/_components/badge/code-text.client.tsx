'use client';

import { CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import classes from './badge.module.css';
import { Breakable } from './breakable';

interface CodeTextProps {
  /** What is copied. */
  value: string;
  /** What is seen, when shorter. */
  children?: string;
  /** Where the text sits in a link or the like: monospaced, but no button of its own. */
  plain?: boolean;
}

/** A code or an id: monospaced, copies on click and says so. */
export function CodeText({ value, children, plain = false }: CodeTextProps) {
  const t = useTranslations('common');
  if (plain) return <code className={classes.plainCode}>{children ?? <Breakable value={value} />}</code>;
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <button
          type="button"
          className={classes.code}
          onClick={copy}
          data-copied={copied || undefined}
          title={children ? value : t('copy')}
          aria-label={copied ? t('copiedValue', { value }) : t('copyValue', { value })}
        >
          <span>{children ?? <Breakable value={value} />}</span>
          {copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
        </button>
      )}
    </CopyButton>
  );
}
