import type { MantineColorSchemeManager } from '@mantine/core';
import { preferenceCookie, SCHEME_COOKIE } from '@/lib/core/preference';

/** Keeps the colour scheme in a cookie, so that the server's first byte already has it and nothing flashes. */
export const cookieSchemeManager: MantineColorSchemeManager = {
  // The server passes the cookie's word as Mantine's default.
  get: (fromServer) => fromServer,
  set: (value) => {
    document.cookie = preferenceCookie(SCHEME_COOKIE, value, location.protocol === 'https:');
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};
