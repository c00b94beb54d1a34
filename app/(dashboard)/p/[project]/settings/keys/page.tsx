import { Text } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageHead } from '@/app/_components/list/page-head';
import { ZeroData } from '@/app/_components/state/zero-data';
import { requirePage } from '@/lib/auth/context';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { may } from '@/lib/core/permission';
import { listKeys } from '@/lib/queries/keys';
import { CreateKey } from './_components/create-key.client';
import { KeyTable } from './_components/key-table';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings.keys'))('title') };
}

export default async function KeysPage({ params }: { params: Promise<{ project: string }> }) {
  const { project: slug } = await params;
  const page = await requirePage(slug, 'key.read');
  const [t, keys] = await Promise.all([getTranslations('settings.keys'), listKeys(page)]);
  const manages = may(page.role, 'key.manage');
  return (
    <>
      <PageHead title={t('title')}>
        {manages ? <CreateKey slug={page.project.slug} baseUrl={getWebRuntime().auth.baseUrl} /> : null}
      </PageHead>
      <Text size="sm" c="dimmed" maw="70ch" mb="sm">
        {t('intro')} {manages ? null : t('ownersOnly')}
      </Text>
      {keys.length === 0 ? (
        <ZeroData title={t('none')}>{t('noneHint')}</ZeroData>
      ) : (
        <KeyTable keys={keys} slug={page.project.slug} manages={manages} now={page.now} tz={page.tz} />
      )}
    </>
  );
}
