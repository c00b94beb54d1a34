import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { ruleSetPath } from '@/lib/present/routes';
import classes from './rules.module.css';

interface EditionSwitchProps {
  slug: string;
  shown: string;
  /** Current edition of the project's default profile. */
  usual: string;
  editions: { name: string; title: string; current: boolean }[];
}

/** One link an edition; the address names the one that is shown. */
export function EditionSwitch({ slug, shown, usual, editions }: EditionSwitchProps) {
  const t = useTranslations('rules');
  return (
    <nav aria-label={t('edition')} className={classes.switch}>
      <ul>
        {editions.map(({ name, title, current }) => (
          <li key={name}>
            <Link
              href={ruleSetPath(slug, name)}
              aria-current={name === shown ? 'true' : undefined}
              className={classes.edition}
            >
              <span>{title}</span>
              <code>{name}</code>
              {current ? <small>{name === usual ? t('defaultOf') : t('current')}</small> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
