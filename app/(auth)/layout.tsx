import type { ReactNode } from 'react';
import { DisplayCorner } from '@/app/_components/shell/display-corner.client';
import { ZoneDetector } from '@/app/_components/shell/zone-detector.client';
import { getPreferences } from '@/lib/auth/preferences';

/** Around the pages that need no sign-in. */
export default async function AuthLayout({ children }: { children: ReactNode }) {
  const { zone, zoneChosen } = await getPreferences();
  return (
    <>
      {zoneChosen ? null : <ZoneDetector />}
      <header>
        <DisplayCorner zone={zone} />
      </header>
      {children}
    </>
  );
}
