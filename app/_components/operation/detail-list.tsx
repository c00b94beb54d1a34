import type { ReactNode } from 'react';
import classes from './operation.module.css';

export interface Detail {
  label: string;
  /** null, undefined, false or '' leaves the line out. */
  value: ReactNode;
}

/** Names and values, two columns where there is room. */
export function DetailList({ details }: { details: readonly Detail[] }) {
  const known = details.filter(({ value }) => value !== null && value !== undefined && value !== false && value !== '');
  return (
    <dl className={classes.details}>
      {known.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
