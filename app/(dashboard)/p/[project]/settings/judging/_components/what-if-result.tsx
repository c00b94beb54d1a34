import { Text } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import { StateBadge } from '@/app/_components/badge/state-badge';
import { useCheckWords } from '@/app/_components/finding/use-check-words';
import { DataTable } from '@/app/_components/table/data-table';
import { formatCount } from '@/lib/present/number';
import type { WhatIfResultView } from '@/lib/queries/views';
import classes from './judging.module.css';

/** What would move, counted over the operations that were looked at. */
export function WhatIfResult({ result }: { result: WhatIfResultView }) {
  const t = useTranslations('settings.whatIf');
  const locale = useLocale();
  const { verdictsChanged, states, findings, reviewItems, pairsChanged } = result;
  const still =
    verdictsChanged.length + states.length + findings.length + reviewItems.opened + reviewItems.closed + pairsChanged;
  return (
    <div className={classes.result}>
      <Text size="sm">
        {t('lookedAt', { operations: formatCount(result.operations, locale), total: result.total })}{' '}
        {result.cut ? <Cut result={result} /> : null}
      </Text>
      {still === 0 ? (
        <Text size="sm" fw={600}>
          {t('nothing')}
        </Text>
      ) : (
        <>
          <dl className={classes.sums}>
            <div>
              <dt>{t('reviews')}</dt>
              <dd>
                {t('opened', { count: reviewItems.opened })}, {t('closed', { count: reviewItems.closed })}
              </dd>
            </div>
            <div>
              <dt>{t('pairs')}</dt>
              <dd>{formatCount(pairsChanged, locale)}</dd>
            </div>
          </dl>
          <Moves title={t('verdicts')} moves={verdictsChanged} word={(action) => <ActionBadge action={action} />} />
          <Moves title={t('states')} moves={states} word={(state) => <StateBadge state={state} />} />
          <FindingMoves findings={findings} />
        </>
      )}
    </div>
  );
}

/** What one preview left out: operations, or the older windows of checks that look across operations. */
function Cut({ result }: { result: WhatIfResultView }) {
  const t = useTranslations('settings.whatIf');
  return result.operations < result.total ? t('cut') : t('cutAcross', { windows: result.windows });
}

interface MovesProps<Word extends string> {
  title: string;
  moves: readonly { from: Word; to: Word; count: number }[];
  word: (word: Word) => ReactNode;
}

function Moves<Word extends string>({ title, moves, word }: MovesProps<Word>) {
  const t = useTranslations('settings.whatIf');
  const locale = useLocale();
  if (moves.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <DataTable
        caption={title}
        rows={moves}
        rowKey={(row) => `${row.from} ${row.to}`}
        columns={[
          { id: 'from', header: t('from'), cell: (row) => word(row.from) },
          { id: 'to', header: t('to'), cell: (row) => word(row.to) },
          { id: 'count', header: t('count'), numeric: true, cell: (row) => formatCount(row.count, locale) },
        ]}
      />
    </section>
  );
}

function FindingMoves({ findings }: { findings: WhatIfResultView['findings'] }) {
  const t = useTranslations('settings.whatIf');
  const words = useCheckWords();
  const locale = useLocale();
  if (findings.length === 0) return null;
  return (
    <section>
      <h3>{t('findings')}</h3>
      <DataTable
        caption={t('findings')}
        rows={findings}
        rowKey={(row) => row.check}
        columns={[
          { id: 'check', header: t('check'), cell: (row) => words(row.check) },
          { id: 'added', header: t('added'), numeric: true, cell: (row) => formatCount(row.added, locale) },
          { id: 'removed', header: t('removed'), numeric: true, cell: (row) => formatCount(row.removed, locale) },
        ]}
      />
    </section>
  );
}
