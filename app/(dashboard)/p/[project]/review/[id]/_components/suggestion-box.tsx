import { useTranslations } from 'next-intl';
import { CodeText } from '@/app/_components/badge/code-text.client';
import { describeFact } from '@/app/_components/operation/fact-text';
import type { Suggestion } from '@/lib/core/operation';
import type { FactRow, SendRow, TimelineModel } from '@/lib/present/timeline-model';
import classes from './item.module.css';

function EvidenceRow({ row }: { row: SendRow | FactRow }) {
  const t = useTranslations('operations');
  if (row.kind === 'fact')
    return (
      <li>
        <strong>{t(`fact.${row.fact.type}`)}</strong> {describeFact(t, row.fact)}
      </li>
    );
  return (
    <li>
      {t('attempt.title', { attempt: row.attempt })} <CodeText value={row.judged.verdict.code} plain />{' '}
      {row.judged.attempt.message}
    </li>
  );
}

/** What the evidence leans to and the rows it rests on. It closes nothing. */
export function SuggestionBox({ suggestion, timeline }: { suggestion: Suggestion | null; timeline: TimelineModel }) {
  const t = useTranslations('review');
  if (!suggestion) return <p className={classes.quiet}>{t('suggestion.none')}</p>;
  const rows = timeline.rows.filter((row) => suggestion.evidence.includes(row.id));
  return (
    <div className={classes.suggestion}>
      <p>
        <strong>{t('suggestion.title', { resolution: t(`resolution.${suggestion.resolution}`) })}</strong>
      </p>
      <p>
        {t(`suggestionReason.${suggestion.reason}`)} {t('suggestion.never')}
      </p>
      {rows.length > 0 ? (
        <>
          <p className={classes.quiet}>{t('suggestion.evidence')}</p>
          <ul>
            {rows.map((row) => (
              <EvidenceRow key={row.id} row={row} />
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}
