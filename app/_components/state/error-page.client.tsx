'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import { MessagePage } from './message-page';

/** What Next's error files show; the digest finds the log line. */
export function ErrorPage({ digest, reset, inside }: { digest?: string; reset: () => void; inside: boolean }) {
  const t = useTranslations('shell.error');
  const router = useRouter();
  const again = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <MessagePage title={t('title')} body={t('body')} href="/projects" link={t('home')} inside={inside}>
      {digest ? (
        <Text size="xs" c="dimmed" className="mono" mb="sm">
          {t('reference', { digest })}
        </Text>
      ) : null}
      <Group mb="md">
        <Button onClick={again}>{t('again')}</Button>
      </Group>
    </MessagePage>
  );
}
