import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/notifications/styles.css';
import './global.css';
import { ColorSchemeScript } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { NextIntlClientProvider } from 'next-intl';
import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Providers } from './_components/theme/providers.client';
import { getPreferences } from '@/lib/auth/preferences';

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell');
  return {
    title: { default: t('product'), template: `%s · ${t('product')}` },
    description: t('productLine'),
    robots: { index: false, follow: false },
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [{ locale, scheme }, head] = await Promise.all([getPreferences(), headers()]);
  const nonce = head.get('x-nonce') ?? '';
  // With `auto` only the browser knows: the script below settles it before the first paint.
  const known = scheme === 'auto' ? undefined : scheme;
  return (
    <html lang={locale} data-mantine-color-scheme={known ?? 'light'} suppressHydrationWarning>
      <head>
        {known ? null : <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" localStorageKey="rb-scheme" />}
      </head>
      <body>
        <NextIntlClientProvider>
          <Providers nonce={nonce} scheme={scheme}>
            {children}
          </Providers>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
