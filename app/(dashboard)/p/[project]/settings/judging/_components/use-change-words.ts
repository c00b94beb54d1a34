import { useLocale, useTranslations } from 'next-intl';
import { SETTING_BOUNDS } from '@/lib/core/setting-bounds';
import type { Settings } from '@/lib/core/operation';
import type { JudgingChange } from '@/lib/present/judging-draft';
import { formatSetting } from '@/lib/present/setting-field';

/** A value of a setting in words, its unit beside it. */
export function useSettingWords(): (key: keyof Settings, value: number) => string {
  const t = useTranslations('settings.judging.switch');
  const locale = useLocale();
  return (key, value) => {
    if (key === 'quarantineByTargetSwitch' || key === 'webhookByOffsetsSwitch') {
      return t(`${key}.${value === 0 ? 'off' : 'on'}`);
    }
    return formatSetting(value, SETTING_BOUNDS[key], locale);
  };
}

/** One change of the project's judging as a line. */
export function useChangeWords(): (change: JudgingChange) => string {
  const t = useTranslations('settings.judging');
  const profiles = useTranslations('shell.setup.profiles');
  const setting = useSettingWords();
  return (change) => {
    switch (change.kind) {
      case 'setting':
        return t('change.setting', {
          name: t(`label.${change.key}`),
          from: setting(change.key, change.from),
          to: setting(change.key, change.to),
        });
      case 'targets':
        return t('change.targets');
      case 'defaultProfile':
        return t('change.defaultProfile', { from: profiles(change.from), to: profiles(change.to) });
      case 'edition':
        return t('change.edition', {
          profile: profiles(change.profile),
          from: change.from ?? t('change.current'),
          to: change.to ?? t('change.current'),
        });
    }
  };
}

/** Stable key of a change in a list. */
export function keyOfChange(change: JudgingChange): string {
  if (change.kind === 'setting') return change.key;
  return change.kind === 'edition' ? `edition ${change.profile}` : change.kind;
}
