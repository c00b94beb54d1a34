'use client';

import { Alert, Anchor, Button, PasswordInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { useState, type FormEvent } from 'react';
import { PROFILES } from '@/lib/core/attempt';
import { SetupDone, type OwnerCreated } from './setup-done.client';

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 128;
const FIELDS = ['name', 'email', 'password', 'projectName', 'profile'] as const;
type Field = (typeof FIELDS)[number];

type Answer = { created: OwnerCreated } | { failure: 'used' | 'failed' } | { invalid: Field[] };

async function askToCreate(input: Record<string, string>): Promise<Answer> {
  const answer = await fetch('/api/auth/setup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  }).catch(() => null);
  if (!answer) return { failure: 'failed' };
  const body = (await answer.json().catch(() => null)) as (OwnerCreated & { errors?: { pointer: string }[] }) | null;
  if (answer.status === 201 && body) return { created: body };
  if (answer.status === 400) {
    const pointers = body?.errors?.map((error) => error.pointer) ?? [];
    return { invalid: FIELDS.filter((field) => pointers.includes(`/${field}`)) };
  }
  return { failure: answer.status === 403 ? 'used' : 'failed' };
}

interface SetupFormProps {
  /** null for a link that can't be used. */
  token: string | null;
  /** Somebody can sign in already. */
  exists: boolean;
  baseUrl: string;
}

/**
 * First person and first project. Afterwards the same place shows the key, because it is shown only once:
 * a refresh of the page, whose link is used up by then, must not take it away.
 */
export function SetupForm({ token, exists, baseUrl }: SetupFormProps) {
  const t = useTranslations('shell.setup');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [profile, setProfile] = useState<string | null>('http');
  const [busy, setBusy] = useState(false);
  if (answer && 'created' in answer) return <SetupDone created={answer.created} baseUrl={baseUrl} />;
  if (token === null) return <SetupClosed exists={exists} />;
  const invalid = answer && 'invalid' in answer ? answer.invalid : [];

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    setBusy(true);
    setAnswer(
      await askToCreate({
        token,
        name: text('name'),
        email: text('email'),
        password: text('password'),
        projectName: text('projectName'),
        profile: profile ?? 'http',
        keyName: t('firstKey'),
      }),
    );
    setBusy(false);
  };

  const labels: Record<Field, string> = {
    name: t('name'),
    email: t('email'),
    password: t('password'),
    projectName: t('projectName'),
    profile: t('profile'),
  };
  return (
    <form method="post" onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Title order={1}>{t('title')}</Title>
        <Text c="dimmed" size="sm">
          {t('intro')}
        </Text>
        <div role="alert">
          {answer && 'failure' in answer ? <Alert color="red">{t(answer.failure)}</Alert> : null}
          {answer && 'invalid' in answer ? (
            <Alert color="red">{t('invalid', { fields: invalid.map((field) => labels[field]).join(', ') })}</Alert>
          ) : null}
        </div>
        <TextInput name="name" label={labels.name} autoComplete="name" maxLength={100} required withAsterisk={false} />
        <TextInput
          name="email"
          type="email"
          label={labels.email}
          autoComplete="username"
          maxLength={254}
          error={invalid.includes('email')}
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          label={labels.password}
          description={t('passwordHint', { min: PASSWORD_LENGTH_MIN })}
          autoComplete="new-password"
          minLength={PASSWORD_LENGTH_MIN}
          maxLength={PASSWORD_LENGTH_MAX}
          error={invalid.includes('password')}
          required
          withAsterisk={false}
        />
        <TextInput name="projectName" label={labels.projectName} maxLength={100} required withAsterisk={false} />
        <Select
          label={labels.profile}
          description={t('profileHint')}
          data={PROFILES.map((value) => ({ value, label: t(`profiles.${value}`) }))}
          value={profile}
          onChange={setProfile}
          allowDeselect={false}
        />
        <Button type="submit" loading={busy}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

function SetupClosed({ exists }: { exists: boolean }) {
  const t = useTranslations('shell.setup');
  return (
    <Stack gap="sm">
      <Title order={1}>{t('title')}</Title>
      <Alert color="yellow" variant="light">
        {exists ? t('exists') : t('used')}{' '}
        {exists ? (
          <Anchor component={Link} href="/login" inherit c="inherit" underline="always">
            {t('toLogin')}
          </Anchor>
        ) : null}
      </Alert>
    </Stack>
  );
}
