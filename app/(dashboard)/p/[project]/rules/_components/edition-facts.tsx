import { useFormatter, useTranslations } from 'next-intl';
import type { RuleSet } from '@/lib/core/rules/rule';
import classes from './rules.module.css';

/** What holds for the whole edition, beside its rows. */
export function EditionFacts({ ruleSet, title }: { ruleSet: RuleSet; title: string }) {
  const t = useTranslations('rules.facts');
  const format = useFormatter();
  const { rows, codeCase, keyMode, methodsReplayable, otherCodes } = ruleSet;
  return (
    <section aria-label={title}>
      <h2 className={classes.title}>
        {title} <code>{ruleSet.name}</code>
      </h2>
      <ul className={classes.facts}>
        <li>
          {t('rows', { count: rows.length })}. {t('order')}
        </li>
        <li>{t(`codeCase.${codeCase}`)}</li>
        <li>{t(`keyMode.${keyMode}`)}</li>
        {keyMode === 'server' ? (
          <li>
            {methodsReplayable.length > 0
              ? t('replayable', { methods: format.list([...methodsReplayable], { type: 'conjunction' }) })
              : t('keyOnly')}
          </li>
        ) : null}
        {otherCodes.length > 0 ? <li>{t('other', { codes: otherCodes.join(', ') })}</li> : null}
      </ul>
    </section>
  );
}
