'use client';

import { ActionIcon, Menu } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { SignOutItem } from './sign-out.client';

export function AccountMenu({ name, email }: { name: string; email: string }) {
  const t = useTranslations('shell.account');
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('menu', { name })}>
          <IconUser size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name} · {email}
        </Menu.Label>
        <SignOutItem />
      </Menu.Dropdown>
    </Menu>
  );
}
