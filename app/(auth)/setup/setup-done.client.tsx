'use client';

import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { SecretBox } from '@/app/_components/form/secret-box.client';
import { firstEventCurl } from '@/lib/present/first-event';
import { sectionPath } from '@/lib/present/routes';

export interface OwnerCreated {
  projectSlug: string;
  projectName: string;
  ingestKey: string;
}

export function SetupDone({ created, baseUrl }: { created: OwnerCreated; baseUrl: string }) {
  const t = useTranslations('shell.setup');
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is gone: say so to whoever can't see it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="md">
      <Title order={1} ref={heading} tabIndex={-1}>
        {t('doneTitle')}
      </Title>
      <Text size="sm">{t('doneIntro')}</Text>
      <SecretBox label={t('keyLabel', { project: created.projectName })} value={created.ingestKey} />
      <SecretBox label={t('curlLabel')} value={firstEventCurl(baseUrl, created.ingestKey)} />
      <Button component="a" href={sectionPath(created.projectSlug, 'overview')}>
        {t('open', { project: created.projectName })}
      </Button>
    </Stack>
  );
}
