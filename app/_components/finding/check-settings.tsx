import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import type { Settings } from '@/lib/core/operation';
import { SETTING_BOUNDS } from '@/lib/core/setting-bounds';
import { settingsPath } from '@/lib/present/routes';
import { formatSetting } from '@/lib/present/setting-field';
import classes from './finding.module.css';

interface CheckSettingsProps {
  slug: string;
  names: readonly (keyof Settings)[];
  settings: Settings;
}

/** Tolerances a check reads, as they are in this project; each leads to where it is set. */
export function CheckSettings({ slug, names, settings }: CheckSettingsProps) {
  const t = useTranslations('settings.judging');
  const none = useTranslations('findings.about')('noSettings');
  const locale = useLocale();
  const wordsOf = (name: keyof Settings): string => {
    if (name === 'quarantineByTargetSwitch' || name === 'webhookByOffsetsSwitch') {
      return t(`switch.${name}.${settings[name] === 0 ? 'off' : 'on'}`);
    }
    return formatSetting(settings[name], SETTING_BOUNDS[name], locale);
  };
  if (names.length === 0) return <span className={classes.quiet}>{none}</span>;
  return (
    <ul className={classes.settings}>
      {names.map((name) => (
        <li key={name}>
          <Link href={`${settingsPath(slug, 'judging')}#setting-${name}`} prefetch={false}>
            {t(`label.${name}`)}
          </Link>
          : {wordsOf(name)}
        </li>
      ))}
    </ul>
  );
}
