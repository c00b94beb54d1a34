import { useLocale } from 'next-intl';
import type { ReactNode } from 'react';
import { formatCount } from '@/lib/present/number';
import classes from './chart.module.css';

export interface ShareBar {
  key: string;
  label: ReactNode;
  count: number;
  /** 0–1, of whatever the longest or the whole is. */
  share: number;
  /** CSS colour; default the accent. */
  fill?: string;
}

/** Named bars with their numbers beside them: a histogram or a break-down that is its own table. */
export function ShareBars({ bars, label }: { bars: readonly ShareBar[]; label: string }) {
  const locale = useLocale();
  return (
    <dl className={classes.bars} aria-label={label}>
      {bars.map((bar) => (
        <div key={bar.key}>
          <dt>{bar.label}</dt>
          <dd className={classes.track} aria-hidden="true">
            <span
              className={classes.fill}
              data-empty={bar.count === 0 || undefined}
              style={{ '--share': `${(bar.share * 100).toFixed(2)}%`, '--fill': bar.fill } as React.CSSProperties}
            />
          </dd>
          <dd>{formatCount(bar.count, locale)}</dd>
        </div>
      ))}
    </dl>
  );
}
