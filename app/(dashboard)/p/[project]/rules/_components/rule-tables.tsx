import { useTranslations } from 'next-intl';
import { Breakable } from '@/app/_components/badge/breakable';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { RULE_STAGES, type RuleSet } from '@/lib/core/rules/rule';
import type { Locale } from '@/lib/core/locale';
import { numberAnchors, type AnchoredRow } from './anchors';
import { CellText } from './cell-text';
import { MatchText } from './match-text';
import { ReachedText } from './reached-text';
import classes from './rules.module.css';
import { WaitText } from './wait-text';

/** Every row of one edition in words, in the order in which rows are tried. */
export function RuleTables({ ruleSet, locale }: { ruleSet: RuleSet; locale: Locale }) {
  const t = useTranslations('rules');
  const rows = numberAnchors(ruleSet.rows);
  const columns: Column<AnchoredRow>[] = [
    {
      id: 'rule',
      header: t('column.rule'),
      minWidth: '13rem',
      cell: ({ row, anchor }) => (
        <span id={anchor} className={classes.rule}>
          <a href={`#${encodeURIComponent(anchor)}`} className={classes.anchor}>
            <Breakable value={row.id} />
          </a>
          <span>{row.condition[locale]}</span>
          <small>{t('place', { source: t(`source.${row.provenance.source}`), place: row.provenance.place })}</small>
        </span>
      ),
    },
    { id: 'match', header: t('column.match'), minWidth: '9rem', cell: ({ row }) => <MatchText match={row.match} /> },
    { id: 'reached', header: t('column.reached'), cell: ({ row }) => <ReachedText row={row} /> },
    { id: 'read', header: t('column.read'), minWidth: '10rem', cell: ({ row }) => <CellText cell={row.read} /> },
    {
      id: 'write',
      header: t('column.write'),
      minWidth: '11rem',
      cell: ({ row }) => <CellText cell={row.write} replayable={row.replayable} effect />,
    },
    { id: 'wait', header: t('column.wait'), minWidth: '7rem', cell: ({ row }) => <WaitText row={row} /> },
  ];
  return RULE_STAGES.map((stage) => {
    const staged = rows.filter(({ row }) => row.stage === stage);
    if (staged.length === 0) return null;
    return (
      <section key={stage} className={classes.stage}>
        <h3>{t(`stage.${stage}`)}</h3>
        <p>{t(`stageHint.${stage}`)}</p>
        <DataTable
          caption={t('caption', { edition: ruleSet.name, stage: t(`stage.${stage}`) })}
          rows={staged}
          columns={columns}
          rowKey={({ anchor }) => anchor}
        />
      </section>
    );
  });
}
