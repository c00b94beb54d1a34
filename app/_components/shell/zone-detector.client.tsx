'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { preferenceCookie, ZONE_COOKIE } from '@/lib/core/preference';
import { DEFAULT_ZONE } from '@/lib/core/zone';

/** On a browser's first visit: takes its own zone, once. Renders nothing. */
export function ZoneDetector() {
  const router = useRouter();
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || DEFAULT_ZONE;
    document.cookie = preferenceCookie(ZONE_COOKIE, zone, location.protocol === 'https:');
    if (zone !== DEFAULT_ZONE) router.refresh();
  }, [router]);
  return null;
}
