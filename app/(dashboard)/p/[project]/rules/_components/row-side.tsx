import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { RuleRow } from '@/lib/core/rules/rule';
import { RULE_PARTS, type RulePart } from '@/lib/present/rule-difference';
import { CellText } from './cell-text';
import { MatchText } from './match-text';
import { ReachedText } from './reached-text';
import classes from './rules.module.css';
import { WaitText } from './wait-text';

/** What one edition says where the two differ; of a row that only it has, everything. */
export function RowSide({ row, parts }: { row: RuleRow | null; parts: readonly RulePart[] }) {
  const t = useTranslations('rules');
  const locale = useLocale();
  if (row === null) return <span className={classes.quiet}>{t('compare.absent')}</span>;
  const values: Readonly<Record<RulePart, ReactNode>> = {
    condition: row.condition[locale],
    match: <MatchText match={row.match} />,
    reached: <ReachedText row={row} />,
    read: <CellText cell={row.read} />,
    write: <CellText cell={row.write} replayable={row.replayable} effect />,
    wait: <WaitText row={row} />,
  };
  return (
    <dl className={classes.side}>
      {(parts.length > 0 ? parts : RULE_PARTS).map((part) => (
        <div key={part}>
          <dt>{part === 'condition' ? t('compare.condition') : t(`column.${part}`)}</dt>
          <dd>{values[part]}</dd>
        </div>
      ))}
    </dl>
  );
}
