'use client';

import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogout } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';

/** A full load afterwards, so that nothing of the signed-in pages stays in memory. */
export function SignOutItem() {
  const t = useTranslations('shell.account');
  const signOut = async () => {
    const answer = await fetch('/api/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }).catch(() => null);
    if (answer?.ok) location.assign('/login');
    else notifications.show({ color: 'red', message: t('signOutFailed') });
  };
  return (
    <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
      {t('signOut')}
    </Menu.Item>
  );
}
