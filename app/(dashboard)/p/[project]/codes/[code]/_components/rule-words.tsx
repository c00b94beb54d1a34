import { useLocale, useTranslations } from 'next-intl';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import type { RuleCell, RuleRow } from '@/lib/core/rules/rule';
import { classifierDiffers } from '@/lib/core/explain';
import { followingOf, reasonOf } from '@/lib/present/rule-reason';
import { formatDuration } from '@/lib/present/duration';
import classes from '../../codes.module.css';

/** One row of a rule set in words: why, and what it means for a read, a write and a write that may be repeated. */
export function RuleWords({ row }: { row: RuleRow }) {
  const t = useTranslations('codes.rule');
  const locale = useLocale();
  const cells = [
    ['read', row.read],
    ['write', row.write],
    ['replayable', row.replayable ?? null],
  ] as const;
  return (
    <>
      <p>{row.condition[locale]}</p>
      <div className={classes.cells}>
        {cells.map(([kind, cell]) => (cell ? <Cell key={kind} kind={kind} cell={cell} /> : null))}
      </div>
      <dl className={classes.facts}>
        <dt>{t('reached')}</dt>
        <dd>
          {row.hop === 'app'
            ? t('reachedApp', { word: t(`reachedWord.${row.reached}`) })
            : t(`reachedWord.${row.reached}`)}
        </dd>
        <dt>{t('wait')}</dt>
        <dd>
          {t(`waitWord.${row.wait}`)}
          {row.waitMsMin === undefined ? null : ` ${t('waitMin', { length: formatDuration(row.waitMsMin, locale) })}`}
        </dd>
        {row.retriesMax === undefined ? null : (
          <>
            <dt>{t('retriesMax')}</dt>
            <dd>{t('retries', { count: row.retriesMax })}</dd>
          </>
        )}
        <dt>{t('source')}</dt>
        <dd>{t('sourceText', { source: t(`sourceWord.${row.provenance.source}`), place: row.provenance.place })}</dd>
      </dl>
    </>
  );
}

function Cell({ kind, cell }: { kind: 'read' | 'write' | 'replayable'; cell: RuleCell }) {
  const t = useTranslations('codes.rule');
  return (
    <div className={classes.cell}>
      <h4>
        {t(`cell.${kind}`)} <ActionBadge action={cell.action} />
      </h4>
      <div>{kind === 'read' ? t('readEffect') : t(`effectWord.${cell.effect}`)}</div>
      <div>{t(`reason.${reasonOf(kind, cell)}`)}</div>
      {cell.gates.length > 0 ? (
        <>
          <div className={classes.quiet}>{t('gates')}</div>
          <ul>
            {cell.gates.map((gate) => (
              <li key={gate}>{t(`gate.${gate}`)}</li>
            ))}
          </ul>
        </>
      ) : null}
      {cell.flags?.includes('not_covered') ? <div className={classes.quiet}>{t('notCovered')}</div> : null}
      {classifierDiffers(cell) ? (
        <div className={classes.differs}>
          {t.rich('differs', { word: () => <code>{cell.classifier}</code> })}{' '}
          {t(`following.${followingOf(kind, cell)}`)}
        </div>
      ) : null}
    </div>
  );
}
