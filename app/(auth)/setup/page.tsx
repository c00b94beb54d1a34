import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
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
  const exists = await hasUsers(db);
  const usable = !exists && typeof token === 'string' && (await isSetupTokenLive(db, token, clock()));
  return (
    <main className={classes.narrow}>
      <SetupForm token={usable ? token : null} exists={exists} baseUrl={auth.baseUrl} />
    </main>
  );
}
