'use client';

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useState } from 'react';

/** Asks first: a revoked key never works again, and whoever uses it stops at once. */
export function RevokeKey({ slug, keyId, name }: { slug: string; keyId: string; name: string }) {
  const t = useTranslations('settings.keys');
  const router = useRouter();
  const [opened, dialog] = useDisclosure(false);
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const revoke = async () => {
    setState('busy');
    const address = `/api/v1/keys/${encodeURIComponent(keyId)}/revoke?project=${encodeURIComponent(slug)}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(address, { method: 'POST', headers, body: '{}' }).catch(() => null);
    setState(answer?.ok ? 'idle' : 'failed');
    if (!answer?.ok) return;
    dialog.close();
    router.refresh();
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        onClick={dialog.open}
        aria-label={t('revokeOne', { name })}
        aria-haspopup="dialog"
      >
        {t('revoke')}
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={t('revokeOne', { name })}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Stack gap="sm">
          {state === 'failed' ? <Alert color="red">{t('revokeFailed')}</Alert> : null}
          <Text size="sm">{t('revokeWarning')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              {t('keep')}
            </Button>
            <Button color="red" loading={state === 'busy'} onClick={() => void revoke()}>
              {t('revoke')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
