'use client';

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { useLayoutEffect, useState, type ReactNode } from 'react';
import type { Scheme } from '@/lib/core/preference';
import { cssVariablesResolver, theme } from './mantine-theme';
import { cookieSchemeManager } from './scheme-manager';

declare global {
  // Read by get-nonce, which styles the scroll lock of dialogs.
  var __webpack_nonce__: string | undefined;
}

/**
 * What every screen needs around it.
 * `nonce` is kept from the first render: a refresh brings another one, but the document's policy stays as loaded.
 */
export function Providers({ nonce, scheme, children }: { nonce: string; scheme: Scheme; children: ReactNode }) {
  const [documentNonce] = useState(nonce);
  useLayoutEffect(() => {
    globalThis.__webpack_nonce__ = documentNonce;
  }, [documentNonce]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={cookieSchemeManager}
      defaultColorScheme={scheme}
      getStyleNonce={() => documentNonce}
      deduplicateInlineStyles
    >
      <Notifications position="bottom-right" />
      <NuqsAdapter>{children}</NuqsAdapter>
    </MantineProvider>
  );
}
