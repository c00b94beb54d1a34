import type { ReactNode } from 'react';
import { requirePage } from '@/lib/auth/context';
import { may } from '@/lib/core/permission';
import { SETTINGS_PARTS } from '@/lib/present/routes';
import { SettingsNav } from './_components/settings-nav.client';

export default async function SettingsLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ project: string }>;
}) {
  const page = await requirePage((await params).project, 'read');
  const parts = SETTINGS_PARTS.filter((part) => part !== 'keys' || may(page.role, 'key.read'));
  return (
    <>
      <SettingsNav slug={page.project.slug} parts={parts} />
      {children}
    </>
  );
}
