'use client';

import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState, type FormEvent } from 'react';

type Failure = { kind: 'wrong' | 'failed' | 'offline' } | { kind: 'tooMany'; seconds: number };

async function askToSignIn(email: string, password: string): Promise<Failure | null> {
  const answer = await fetch('/api/auth/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }).catch(() => null);
  if (!answer) return { kind: 'offline' };
  if (answer.ok) return null;
  if (answer.status === 429) return { kind: 'tooMany', seconds: Number(answer.headers.get('retry-after') ?? 60) };
  return { kind: answer.status === 401 ? 'wrong' : 'failed' };
}

export function SignInForm({ returnTo }: { returnTo: string }) {
  const t = useTranslations('shell.login');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    const [email, password] = [form.get('email'), form.get('password')];
    const failed = await askToSignIn(
      typeof email === 'string' ? email : '',
      typeof password === 'string' ? password : '',
    );
    // A full load, so that every layout is rendered for the person who came in.
    if (!failed) return location.assign(returnTo);
    setBusy(false);
    setFailure(failed);
  };

  return (
    <form method="post" onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <div role="alert">
          {failure ? (
            <Alert color="red" variant="light">
              {failure.kind === 'tooMany' ? t('tooMany', { seconds: failure.seconds }) : t(failure.kind)}
            </Alert>
          ) : null}
        </div>
        <TextInput name="email" type="email" label={t('email')} autoComplete="username" required withAsterisk={false} />
        <PasswordInput
          name="password"
          label={t('password')}
          autoComplete="current-password"
          maxLength={128}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={busy}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
