import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { prepareCalls, type CallTotals } from '@/lib/present/calls';
import { formatCount, formatPercent } from '@/lib/present/number';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import classes from './call-parts.module.css';

interface CallPartsProps {
  slug: string;
  scope: Scope;
  totals: CallTotals;
  /** Name of the sum. */
  total: string;
  /** The totals are of operations that met this code on any send; without it, a code filter speaks of the last one. */
  code?: string;
  trend?: ReactNode;
}

/** How calls ended, as one bar and as numbers that add up; each leads to its own list. */
export function CallParts({ slug, scope, totals, total, code, trend }: CallPartsProps) {
  const t = useTranslations('common.ended');
  const locale = useLocale();
  const parts = prepareCalls(totals);
  // Totals count an operation under its last verdict's code, so their lists must filter by the same one.
  const codeOf = scope.filters.code ? 'last' : null;
  const list = (ended: string | null): string =>
    sectionPath(slug, 'operations') +
    writeScope(scope, code ? { code: [code], extra: { ended } } : { extra: { ended, codeOf } });
  const fill = (colour: string) => ({ '--fill': `var(--mantine-color-${colour})` }) as React.CSSProperties;
  return (
    <>
      <div className={classes.sum} aria-hidden="true">
        {parts
          .filter((part) => part.count > 0)
          .map((part) => (
            <span key={part.id} style={{ ...fill(part.colour), flexGrow: part.count }} />
          ))}
      </div>
      <dl className={classes.parts}>
        {parts.map((part) => (
          <div key={part.id}>
            <dt>
              <span className={classes.swatch} style={fill(part.colour)} />
              {t(part.id)}
            </dt>
            <dd>
              <Link href={list(part.id)} prefetch={false} className={classes.number}>
                {formatCount(part.count, locale)}
              </Link>
            </dd>
            <dd className={classes.quiet}>{formatPercent(part.share, locale)}</dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>{total}</dt>
          <dd>
            <Link href={list(null)} prefetch={false} className={classes.number}>
              {formatCount(totals.calls, locale)}
            </Link>
          </dd>
          <dd>{trend}</dd>
        </div>
      </dl>
    </>
  );
}
