import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import { Breakable } from '@/app/_components/badge/breakable';
import { DataTable, type Column } from '@/app/_components/table/data-table';
import { ZeroData } from '@/app/_components/state/zero-data';
import type { RuleSet } from '@/lib/core/rules/rule';
import { rulePath } from '@/lib/present/routes';
import { compareRuleSets, type RowDifference } from '@/lib/present/rule-difference';
import { FactDifferences } from './fact-differences';
import { RowSide } from './row-side';
import classes from './rules.module.css';

interface DifferenceViewProps {
  slug: string;
  left: RuleSet;
  right: RuleSet;
}

/** Two editions side by side: row by row, only what differs, in words. */
export function DifferenceView({ slug, left, right }: DifferenceViewProps) {
  const t = useTranslations('rules.compare');
  const { rows, facts, same } = compareRuleSets(left, right);
  return (
    <section aria-labelledby="difference-title">
      <h2 id="difference-title" className={classes.title}>
        {t('title')} <code>{left.name}</code> → <code>{right.name}</code>
      </h2>
      {left.profile === right.profile ? null : <p className={classes.quiet}>{t('otherFamily')}</p>}
      {rows.length === 0 && facts.length === 0 ? (
        <ZeroData title={t('none')}>{t('noneHint', { count: same })}</ZeroData>
      ) : (
        <>
          <p className={classes.sentence}>
            {t('summary', {
              changed: rows.filter((row) => row.left && row.right).length,
              left: rows.filter((row) => row.right === null).length,
              right: rows.filter((row) => row.left === null).length,
            })}{' '}
            {t('same', { count: same })}
          </p>
          <FactDifferences facts={facts} left={left} right={right} />
          {rows.length === 0 ? null : <DifferenceTable slug={slug} left={left} right={right} rows={rows} />}
        </>
      )}
    </section>
  );
}

function DifferenceTable({ slug, left, right, rows }: DifferenceViewProps & { rows: RowDifference[] }) {
  const t = useTranslations('rules');
  const locale = useLocale();
  const sides = [
    ['left', left],
    ['right', right],
  ] as const;
  const columns: Column<RowDifference>[] = [
    {
      id: 'rule',
      header: t('column.rule'),
      minWidth: '10rem',
      cell: (row) => {
        const home = row.left ? left : right;
        return (
          <span className={classes.rule}>
            <Link href={rulePath(slug, home.name, row.id)} prefetch={false} className={classes.anchor}>
              <Breakable value={row.id} />
            </Link>
            <small>{t(`stage.${row.stage}`)}</small>
          </span>
        );
      },
    },
    ...sides.map(([side, set]) => ({
      id: side,
      header: (
        <>
          {set.title[locale]} <code>{set.name}</code>
        </>
      ),
      minWidth: '16rem',
      cell: (row: RowDifference) => <RowSide row={row[side]} parts={row.parts} />,
    })),
  ];
  return (
    <div className={classes.differences}>
      <DataTable
        caption={t('compare.caption', { left: left.name, right: right.name })}
        rows={rows}
        columns={columns}
        rowKey={(row) => `${row.stage} ${row.id} ${JSON.stringify((row.left ?? row.right)?.match)}`}
      />
    </div>
  );
}
