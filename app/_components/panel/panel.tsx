import { useId, type ReactNode } from 'react';
import { AsyncPanel } from '../state/async-panel';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  /** Anchor of the panel. */
  anchor?: string;
  /** Scope of its numbers, or a link; at the right of the title. */
  aside?: ReactNode;
  /** May wait for its data: shows bars until then, and its own failure when it fails. */
  children: ReactNode;
}

/** One part of a page, that loads and fails on its own. */
export function Panel({ title, anchor, aside, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} id={anchor} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      <AsyncPanel what={title}>{children}</AsyncPanel>
    </section>
  );
}
