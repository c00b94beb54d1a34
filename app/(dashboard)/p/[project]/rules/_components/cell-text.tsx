import { useTranslations } from 'next-intl';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import { classifierDiffers } from '@/lib/core/explain';
import type { RuleCell } from '@/lib/core/rules/rule';
import classes from './rules.module.css';

/** What to do about a read or a write: the action, then what must come before a repeat, then what it may have done. */
export function CellText({
  cell,
  replayable,
  effect = false,
}: {
  cell: RuleCell;
  replayable?: RuleCell;
  effect?: boolean;
}) {
  const t = useTranslations('rules');
  return (
    <div className={classes.cell}>
      <ActionBadge action={cell.action} />
      {cell.gates.length > 0 ? (
        <ol className={classes.gates}>
          {cell.gates.map((gate) => (
            <li key={gate}>{t(`gate.${gate}`)}</li>
          ))}
        </ol>
      ) : null}
      {effect ? <small>{t(`effect.${cell.effect}`)}</small> : null}
      {cell.classifier !== null ? <Word cell={cell} word={cell.classifier} /> : null}
      {replayable ? (
        <div className={classes.variant}>
          <small>{t('replayable')}</small>
          <CellText cell={replayable} effect={effect} />
        </div>
      ) : null}
    </div>
  );
}

/** The source's own example, said only where it says something else. */
function Word({ cell, word }: { cell: RuleCell; word: string }) {
  const t = useTranslations('rules');
  if (!classifierDiffers({ classifier: word, action: cell.action })) return null;
  return <small data-differs>{t('differs', { word })}</small>;
}
