'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import classes from './state.module.css';

/** One part failed, the rest of the page stands: what happened, what is safe, what to do. */
export function FailedPanel({ onRetry, digest }: { onRetry: () => void; digest?: string }) {
  const t = useTranslations('shell');
  return (
    <Stack gap={6} className={`${classes.box} ${classes.failed}`} role="alert" data-state="failed">
      <Text fw={600}>{t('state.failedTitle')}</Text>
      <Text size="sm">{t('state.failedHint')}</Text>
      {digest ? (
        <Text size="xs" c="dimmed" className="mono">
          {t('error.reference', { digest })}
        </Text>
      ) : null}
      <div>
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          {t('state.retry')}
        </Button>
      </div>
    </Stack>
  );
}
