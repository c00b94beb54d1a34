'use client';

import { Badge, NavLink } from '@mantine/core';
import {
  IconAdjustments,
  IconBook2,
  IconClockCheck,
  IconGauge,
  IconHash,
  IconListDetails,
  IconStethoscope,
  IconUserQuestion,
  type Icon,
} from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { useSelectedLayoutSegment } from 'next/navigation';
import { sectionPath, type Section } from '@/lib/present/routes';

const ICONS: Readonly<Record<Section, Icon>> = {
  overview: IconGauge,
  codes: IconHash,
  review: IconUserQuestion,
  operations: IconListDetails,
  compliance: IconClockCheck,
  findings: IconStethoscope,
  rules: IconBook2,
  settings: IconAdjustments,
};

/** The sections of one project; no open review shows no count. */
export function NavLinks({
  slug,
  openReviews,
  sections,
  onNavigate,
}: {
  slug: string;
  openReviews: number;
  /** Those that the person's role may open. */
  sections: readonly Section[];
  onNavigate: () => void;
}) {
  const t = useTranslations('shell');
  const current = useSelectedLayoutSegment();
  return sections.map((section) => {
    const SectionIcon = ICONS[section];
    const active = current === section;
    return (
      <NavLink
        key={section}
        component={Link}
        href={sectionPath(slug, section)}
        onClick={onNavigate}
        label={t(`nav.${section}`)}
        active={active}
        py={6}
        aria-current={active ? 'page' : undefined}
        leftSection={<SectionIcon size={18} stroke={1.6} aria-hidden />}
        rightSection={
          section === 'review' && openReviews ? (
            <Badge variant="filled" size="sm" className="numeric" aria-label={t('openReviews', { count: openReviews })}>
              {openReviews}
            </Badge>
          ) : undefined
        }
      />
    );
  });
}
