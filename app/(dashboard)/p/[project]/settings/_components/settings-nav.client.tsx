'use client';

import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { useSelectedLayoutSegment } from 'next/navigation';
import { settingsPath, type SettingsPart } from '@/lib/present/routes';
import classes from './settings.module.css';

/** Parts of the settings that the person's role may open. */
export function SettingsNav({ slug, parts }: { slug: string; parts: readonly SettingsPart[] }) {
  const t = useTranslations('settings.nav');
  const current = useSelectedLayoutSegment();
  return (
    <nav aria-label={t('label')} className={classes.nav}>
      {parts.map((part) => (
        <Link key={part} href={settingsPath(slug, part)} aria-current={part === current ? 'page' : undefined}>
          {t(part)}
        </Link>
      ))}
    </nav>
  );
}
