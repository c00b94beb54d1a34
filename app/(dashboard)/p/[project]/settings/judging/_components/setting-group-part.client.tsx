'use client';

import { useTranslations } from 'next-intl';
import { listSettingsOf, type SettingGroup } from '@/lib/present/setting-groups';
import type { ProjectSettingsView } from '@/lib/queries/views';
import classes from './judging.module.css';
import { SettingRow } from './setting-row.client';
import type { Judging } from './use-judging';

interface SettingGroupPartProps {
  group: SettingGroup;
  manages: boolean;
  view: ProjectSettingsView;
  judging: Judging;
}

/** Settings that belong together: what is set, what it would be by default, and a way back. */
export function SettingGroupPart({ group, manages, view, judging }: SettingGroupPartProps) {
  const t = useTranslations('settings.judging.group');
  return (
    <section className={classes.part} aria-labelledby={`group-${group}`}>
      <h2 id={`group-${group}`}>{t(group)}</h2>
      <div className={classes.rows}>
        {listSettingsOf(group).map((key) => (
          <SettingRow key={key} name={key} manages={manages} view={view} judging={judging} />
        ))}
      </div>
    </section>
  );
}
