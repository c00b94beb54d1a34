import { useTranslations } from 'next-intl';
import type { Fact } from '@/lib/core/attempt';
import { prepareTimeline } from '@/lib/present/timeline-model';
import { CodeList } from './code-list';
import { ExactTime } from './exact-time';
import { describeFact, factEntityIds } from './fact-text';
import classes from './operation.module.css';

/** Read-backs, refreshes, fixes, results and closings, in time order. */
export function FactList({ facts }: { facts: Fact[] }) {
  const t = useTranslations('operations');
  const rows = prepareTimeline({ sends: [], pairs: [], facts }).rows.filter((row) => row.kind === 'fact');
  if (rows.length === 0) return <p className={classes.quiet}>{t('one.noOtherFacts')}</p>;
  return (
    <ol className={classes.facts}>
      {rows.map(({ id, at, fact }) => (
        <li key={id}>
          <ExactTime at={at} /> <strong>{t(`fact.${fact.type}`)}</strong> {describeFact(t, fact)}{' '}
          <CodeList values={factEntityIds(fact)} />
        </li>
      ))}
    </ol>
  );
}
