import { Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import classes from '@/app/_components/shell/shell.module.css';
import { findPerson } from '@/lib/auth/context';
import { safeReturnPath } from '@/lib/present/routes';
import { SignInForm } from './sign-in-form.client';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('shell.login'))('title') };
}

export default async function LoginPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const returnTo = safeReturnPath(typeof next === 'string' ? next : undefined);
  if (await findPerson()) redirect(returnTo);
  const t = await getTranslations('shell.login');
  return (
    <main className={classes.narrow}>
      <Title order={1} mb="md">
        {t('title')}
      </Title>
      <SignInForm returnTo={returnTo} />
    </main>
  );
}
