import type { ReactNode } from 'react';
import classes from './list.module.css';

/** Title of a page with what can be done on it. */
export function PageHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className={classes.head}>
      <h1>{title}</h1>
      <div className={classes.headActions}>{children}</div>
    </header>
  );
}
