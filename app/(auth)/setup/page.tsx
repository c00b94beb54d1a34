import { Alert, Anchor, Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import classes from '@/app/_components/shell/shell.module.css';
import { hasUsers, isSetupTokenLive } from '@/lib/auth/setup-token';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { SetupForm } from './setup-form.client';

export async function generateMetadata(): Promise<Metadata> {
  // The link is a secret: it must not travel on to other sites.
  return { title: (await getTranslations('shell.setup'))('title'), referrer: 'no-referrer' };
}

export default async function SetupPage({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  const { db, auth, clock } = getWebRuntime();
  const t = await getTranslations('shell.setup');
  const exists = await hasUsers(db);
  const usable = !exists && typeof token === 'string' && (await isSetupTokenLive(db, token, clock()));
  return (
    <main className={classes.narrow}>
      <Title order={1} mb="xs">
        {t('title')}
      </Title>
      {usable ? (
        <>
          <Text c="dimmed" size="sm" mb="md">
            {t('intro')}
          </Text>
          <SetupForm token={token} baseUrl={auth.baseUrl} />
        </>
      ) : (
        <Alert color="yellow" variant="light">
          {exists ? t('exists') : t('used')}{' '}
          {exists ? (
            <Anchor component={Link} href="/login" inherit underline="always">
              {t('toLogin')}
            </Anchor>
          ) : null}
        </Alert>
      )}
    </main>
  );
}
