import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode } from 'react';
import type { RuleMatch } from '@/lib/core/rules/rule';
import classes from './rules.module.css';

function Codes({ words }: { words: readonly string[] }) {
  const t = useTranslations('rules.match');
  return words.map((word, place) => (
    <Fragment key={word}>
      {place > 0 ? ` ${t('or')} ` : null}
      <code>{word}</code>
    </Fragment>
  ));
}

/** What a row applies to, in words: every line must hold. */
export function MatchText({ match }: { match: RuleMatch }) {
  const t = useTranslations('rules');
  const outcome = useTranslations('operations.outcome');
  const or = ` ${t('match.or')} `;
  const lines: { name: string; value: ReactNode }[] = [];
  if (match.codes) lines.push({ name: t('match.codes'), value: <Codes words={match.codes} /> });
  if (match.codesContain) lines.push({ name: t('match.contain'), value: <Codes words={match.codesContain} /> });
  if (match.statuses) {
    const ranges = match.statuses.map(([from, to]) => (from === to ? String(from) : t('match.range', { from, to })));
    lines.push({ name: t('match.status'), value: ranges.join(', ') });
  }
  if (match.outcomes) {
    lines.push({ name: t('match.outcome'), value: match.outcomes.map((word) => outcome(word)).join(or) });
  }
  if (match.faults) {
    lines.push({ name: t('match.fault'), value: match.faults.map((word) => t(`fault.${word}`)).join(or) });
  }
  if (match.sign) lines.push({ name: lines.length > 0 ? t('match.sign') : '', value: t(`sign.${match.sign}`) });
  if (match.examples) lines.push({ name: t('match.examples'), value: <Codes words={match.examples} /> });
  if (lines.length === 0) return t('match.any');
  return (
    <ul className={classes.lines}>
      {lines.map(({ name, value }, place) => (
        <li key={place}>
          {name ? <small>{name} </small> : null}
          {value}
        </li>
      ))}
    </ul>
  );
}
