'use client';

import { ActionIcon, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSettings2 } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { DisplayDialog } from './display-dialog.client';

/** Language, colours and zone where there is no navigation yet. */
export function DisplayCorner({ zone }: { zone: string }) {
  const t = useTranslations('shell.display');
  const [opened, dialog] = useDisclosure(false);
  return (
    <Group justify="flex-end" p="xs">
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={dialog.open} aria-label={t('open')}>
        <IconSettings2 size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      <DisplayDialog opened={opened} onClose={dialog.close} zone={zone} />
    </Group>
  );
}
