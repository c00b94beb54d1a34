'use client';

import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { SETTING_GROUPS } from '@/lib/present/setting-groups';
import type { ProjectSettingsView } from '@/lib/queries/views';
import { ChangeBar } from './change-bar.client';
import classes from './judging.module.css';
import { ProfilePart } from './profile-part.client';
import { SettingGroupPart } from './setting-group-part.client';
import { StaleNotice } from './stale-notice';
import { useJudging } from './use-judging';
import { WhatIfDialog } from './what-if-dialog.client';

interface JudgingFormProps {
  slug: string;
  /** May change it; others look. */
  manages: boolean;
  view: ProjectSettingsView;
}

/** Everything the project's conclusions depend on, and what was typed over it. */
export function JudgingForm({ slug, manages, view }: JudgingFormProps) {
  const t = useTranslations('settings.judging');
  const judging = useJudging(slug, view);
  const [trying, dialog] = useDisclosure(false);
  return (
    <>
      {judging.theirs.length > 0 ? (
        <StaleNotice name={view.changedBy} theirs={judging.theirs} onSeen={judging.acknowledge} />
      ) : null}
      <section className={classes.part} aria-labelledby="profiles-title">
        <h2 id="profiles-title">{t('profiles')}</h2>
        <ProfilePart slug={slug} manages={manages} view={view} judging={judging} />
      </section>
      {SETTING_GROUPS.map((group) => (
        <SettingGroupPart key={group} group={group} manages={manages} view={view} judging={judging} />
      ))}
      {manages ? <ChangeBar judging={judging} onPreview={dialog.open} /> : null}
      {manages && trying ? <WhatIfDialog slug={slug} judging={judging} onClose={dialog.close} /> : null}
    </>
  );
}
