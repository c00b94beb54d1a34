'use client';

import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useState, type FormEvent } from 'react';
import { SecretBox } from '@/app/_components/form/secret-box.client';
import { firstEventCurl } from '@/lib/present/first-event';
import type { KeyView } from '@/lib/queries/views';

type Scope = KeyView['scope'];
const SCOPES: readonly Scope[] = ['ingest', 'read', 'operate'];

interface Created {
  name: string;
  scope: Scope;
  text: string;
}

async function askForKey(slug: string, name: string, scope: Scope): Promise<Created | null> {
  const answer = await fetch(`/api/v1/keys?project=${encodeURIComponent(slug)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, scope }),
  }).catch(() => null);
  return answer?.status === 201 ? ((await answer.json()) as Created) : null;
}

/** Asks for name and scope, then shows the key once. Only a button closes that, so that no stray click loses it. */
export function CreateKey({ slug, baseUrl }: { slug: string; baseUrl: string }) {
  const t = useTranslations('settings.keys');
  const router = useRouter();
  const [opened, dialog] = useDisclosure(false);
  const [created, setCreated] = useState<Created | null>(null);
  const close = () => {
    dialog.close();
    if (created) router.refresh();
    setCreated(null);
  };
  return (
    <>
      <Button size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={dialog.open}>
        {t('create')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={created ? t('createdTitle') : t('create')}
        closeOnClickOutside={!created}
        closeOnEscape={!created}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {created ? (
          <Stack gap="md">
            <Text size="sm">{t('shownOnce')}</Text>
            <SecretBox label={created.name} value={created.text} />
            {created.scope === 'ingest' ? (
              <SecretBox label={t('curl')} value={firstEventCurl(baseUrl, created.text)} />
            ) : null}
            <Group justify="flex-end">
              <Button onClick={close}>{t('kept')}</Button>
            </Group>
          </Stack>
        ) : (
          <KeyForm slug={slug} onCreated={setCreated} />
        )}
      </Modal>
    </>
  );
}

function KeyForm({ slug, onCreated }: { slug: string; onCreated: (created: Created) => void }) {
  const t = useTranslations('settings.keys');
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('ingest');
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState('busy');
    const created = await askForKey(slug, name, scope);
    setState(created ? 'idle' : 'failed');
    if (created) onCreated(created);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {state === 'failed' ? <Alert color="red">{t('createFailed')}</Alert> : null}
        <TextInput
          label={t('column.name')}
          description={t('nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Radio.Group label={t('column.scope')} value={scope} onChange={(value) => setScope(value)}>
          <Stack gap={6} mt={4}>
            {SCOPES.map((value) => (
              <Radio key={value} value={value} label={t(`scope.${value}`)} description={t(`scopeHint.${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button type="submit" loading={state === 'busy'}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
