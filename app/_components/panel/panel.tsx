import { Suspense, useId, type ReactNode } from 'react';
import { PanelBoundary } from './panel-boundary.client';
import { PanelLoading } from './panel-states';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  /** Scope of its numbers, or a link; at the right of the title. */
  aside?: ReactNode;
  /** May wait for its data: shows bones until then, and its own failure when it fails. */
  children: ReactNode;
}

/** One part of a page, that loads and fails on its own. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      <PanelBoundary>
        <Suspense fallback={<PanelLoading name={title} />}>{children}</Suspense>
      </PanelBoundary>
    </section>
  );
}
