'use client';

import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { PROFILES, type Profile } from '@/lib/core/attempt';
import { currentRuleSet } from '@/lib/core/rules/index';
import { editionsOf } from '@/lib/core/settings-change';
import { ruleSetPath } from '@/lib/present/routes';
import type { ProjectSettingsView } from '@/lib/queries/views';
import classes from './judging.module.css';
import { TargetList } from './target-list.client';
import type { Judging } from './use-judging';

interface ProfilePartProps {
  slug: string;
  manages: boolean;
  view: ProjectSettingsView;
  judging: Judging;
}

/** Default profile, targets with rules of their own, and the edition of each family. */
export function ProfilePart(props: ProfilePartProps) {
  const { manages, view, judging } = props;
  const t = useTranslations('settings.judging');
  const profiles = useTranslations('shell.setup.profiles');
  const chosen = judging.draft.defaultProfile ?? view.defaultProfile;
  return (
    <>
      {manages ? (
        <NativeSelect
          className={classes.choice}
          size="xs"
          label={t('defaultProfile')}
          description={t('defaultProfileHint')}
          value={chosen}
          onChange={(event) => {
            const next = PROFILES.find((one) => one === event.currentTarget.value);
            if (next) judging.change({ defaultProfile: next });
          }}
          data={PROFILES.map((one) => ({ value: one, label: profiles(one) }))}
        />
      ) : (
        <p className={classes.plain}>
          {t('defaultProfile')}: <strong>{profiles(chosen)}</strong>
        </p>
      )}
      <h3>{t('targets')}</h3>
      <p className={classes.hint}>{t('targetsHint')}</p>
      <TargetList manages={manages} view={view} judging={judging} />
      <h3>{t('editions')}</h3>
      <p className={classes.hint}>{t('editionsHint')}</p>
      <div className={classes.editions}>
        {PROFILES.map((profile) => (
          <EditionChoice key={profile} profile={profile} {...props} />
        ))}
      </div>
    </>
  );
}

function EditionChoice({ slug, profile, manages, view, judging }: ProfilePartProps & { profile: Profile }) {
  const t = useTranslations('settings.judging');
  const profiles = useTranslations('shell.setup.profiles');
  const wish = judging.draft.ruleSets[profile];
  const pinned = wish === undefined ? (view.ruleSets[profile] ?? null) : wish;
  const current = currentRuleSet(profile).name;
  const editions = editionsOf(profile);
  const other = editions.find((name) => name !== (pinned ?? current));
  const said = pinned === null ? t('editionCurrent', { name: current }) : t('editionPinned', { name: pinned });
  return (
    <div>
      {manages ? (
        <NativeSelect
          size="xs"
          label={t('edition', { profile: profiles(profile) })}
          value={pinned ?? ''}
          onChange={(event) => {
            const name = event.currentTarget.value;
            judging.change({ ruleSets: { ...judging.draft.ruleSets, [profile]: name === '' ? null : name } });
          }}
          data={[
            { value: '', label: t('editionCurrent', { name: current }) },
            ...editions.map((name) => ({ value: name, label: t('editionPinned', { name }) })),
          ]}
        />
      ) : (
        <p className={classes.plain}>
          {t('edition', { profile: profiles(profile) })}: <strong>{said}</strong>
        </p>
      )}
      {other ? (
        <Link href={ruleSetPath(slug, pinned ?? current, other)} className={classes.more} prefetch={false}>
          {t('compare')}
        </Link>
      ) : null}
    </div>
  );
}
