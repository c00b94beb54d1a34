import type { ReactNode } from 'react';
import classes from './badge.module.css';

interface ToneBadgeProps {
  /** Mantine colour name. */
  tone: string;
  icon: ReactNode;
  children: ReactNode;
  /** Only the icon is seen; the words stay for screen readers and as a tip. */
  compact?: boolean;
  title?: string;
}

/** A word with its own icon. The colour sits in icon and edge; the words keep the text colour and its contrast. */
export function ToneBadge({ tone, icon, children, compact = false, title }: ToneBadgeProps) {
  const style = { '--tone': `var(--mantine-color-${tone}-6)` } as React.CSSProperties;
  return (
    <span className={classes.badge} style={style} data-compact={compact || undefined} title={title}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={classes.words}>{children}</span>
    </span>
  );
}
