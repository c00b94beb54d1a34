'use client';

import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';

/** Copies `value`; says so in place and to screen readers. `label` names what is copied. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const t = useTranslations('shell.copy');
  const clipboard = useClipboard({ timeout: 2_000 });
  const said = clipboard.error ? t('failed') : clipboard.copied ? t('copied') : t('button');
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      aria-label={`${said}: ${label}`}
      aria-live="polite"
      onClick={() => clipboard.copy(value)}
    >
      {said}
    </Button>
  );
}
