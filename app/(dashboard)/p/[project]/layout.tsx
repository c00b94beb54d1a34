import type { ReactNode } from 'react';
import { AppFrame } from '@/app/_components/shell/app-frame.client';
import { ZoneDetector } from '@/app/_components/shell/zone-detector.client';
import { listPersonProjects } from '@/lib/auth/authorize';
import { requirePage } from '@/lib/auth/context';
import { getPreferences } from '@/lib/auth/preferences';
import { SECTIONS } from '@/lib/present/routes';
import { getPulse } from '@/lib/queries/pulse';

export default async function ProjectLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ project: string }>;
}) {
  const { project: slug } = await params;
  const page = await requirePage(slug, 'read');
  const [projects, { zoneChosen }, pulse] = await Promise.all([
    listPersonProjects(page.db, page.person),
    getPreferences(),
    getPulse(page),
  ]);
  return (
    <AppFrame
      project={{ slug: page.project.slug, name: page.project.name }}
      projects={projects.map(({ slug: other, name }) => ({ slug: other, name }))}
      person={{ name: page.person.name, email: page.person.email }}
      zone={page.tz}
      openReviews={pulse.openReviews}
      stamp={pulse.stamp}
      sections={SECTIONS}
    >
      {zoneChosen ? null : <ZoneDetector />}
      {children}
    </AppFrame>
  );
}
