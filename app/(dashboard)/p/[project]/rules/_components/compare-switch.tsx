import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import type { RuleSet } from '@/lib/core/rules/rule';
import { ruleSetPath } from '@/lib/present/routes';
import classes from './rules.module.css';

interface CompareSwitchProps {
  slug: string;
  shown: RuleSet;
  /** Editions to put beside it, its own family first. */
  others: readonly RuleSet[];
  /** The one beside it now. */
  beside: RuleSet | null;
}

/** Puts another edition beside the one that is shown; the address names both. */
export function CompareSwitch({ slug, shown, others, beside }: CompareSwitchProps) {
  const t = useTranslations('rules.compare');
  const locale = useLocale();
  const link = (set: RuleSet) => (
    <li key={set.name}>
      <Link
        href={ruleSetPath(slug, shown.name, set.name)}
        aria-current={set === beside ? 'true' : undefined}
        title={set.title[locale]}
        prefetch={false}
      >
        {set.name}
      </Link>
    </li>
  );
  const family = others.filter((set) => set.profile === shown.profile);
  const foreign = others.filter((set) => set.profile !== shown.profile);
  return (
    <nav aria-label={t('label')} className={classes.compare}>
      <span>{t('with')}</span>
      <ul>
        {family.map(link)}
        {family.length === 0 ? <li className={classes.quiet}>{t('onlyOne')}</li> : null}
      </ul>
      <span className={classes.quiet}>{t('foreign')}</span>
      <ul>{foreign.map(link)}</ul>
      {beside ? (
        <Link href={ruleSetPath(slug, shown.name)} className={classes.whole}>
          {t('whole', { edition: shown.name })}
        </Link>
      ) : null}
    </nav>
  );
}
