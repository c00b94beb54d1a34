import { useLocale, useTranslations } from 'next-intl';
import { DataTable } from '@/app/_components/table/data-table';
import type { RuleSet } from '@/lib/core/rules/rule';
import { formatDuration } from '@/lib/present/duration';
import type { EditionFact } from '@/lib/present/rule-difference';

interface FactDifferencesProps {
  facts: readonly EditionFact[];
  left: RuleSet;
  right: RuleSet;
}

/** What differs for the whole edition, beside its rows. */
export function FactDifferences({ facts, left, right }: FactDifferencesProps) {
  const t = useTranslations('rules');
  const locale = useLocale();
  if (facts.length === 0) return null;
  const words = (fact: EditionFact, set: RuleSet, other: RuleSet): string => {
    const only = set.otherCodes.filter((code) => !other.otherCodes.includes(code));
    switch (fact) {
      case 'codeCase':
        return t(`facts.codeCase.${set.codeCase}`);
      case 'keyMode':
        return t(`facts.keyMode.${set.keyMode}`);
      case 'keyLife':
        return set.keyLifeMs === 0 ? t('compare.noLife') : formatDuration(set.keyLifeMs, locale);
      case 'methodsReplayable':
        return set.methodsReplayable.length === 0 ? t('compare.noMethod') : set.methodsReplayable.join(', ');
      case 'otherCodes':
        return only.length === 0 ? t('compare.noneOnly') : only.join(', ');
      case 'order':
        return t('compare.orderWord');
    }
  };
  return (
    <DataTable
      caption={t('compare.facts')}
      rows={facts}
      rowKey={(fact) => fact}
      columns={[
        { id: 'fact', header: t('compare.factHead'), minWidth: '10rem', cell: (fact) => t(`compare.fact.${fact}`) },
        { id: 'left', header: left.name, minWidth: '14rem', cell: (fact) => words(fact, left, right) },
        { id: 'right', header: right.name, minWidth: '14rem', cell: (fact) => words(fact, right, left) },
      ]}
    />
  );
}
