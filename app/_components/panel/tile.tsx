import Link from 'next/link';
import type { ReactNode } from 'react';
import classes from './tile.module.css';

interface TileProps {
  label: string;
  value: ReactNode;
  /** The list behind the number. */
  href?: string;
  /** How it moved, or what it is made of. */
  note?: ReactNode;
  tone?: 'bad' | 'warn';
}

/** One number, its name, and the way to its list. */
export function Tile({ label, value, href, note, tone }: TileProps) {
  return (
    <div className={classes.tile} data-tone={tone}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>
        {href ? (
          <Link href={href} prefetch={false} className={classes.link}>
            {value}
          </Link>
        ) : (
          value
        )}
      </dd>
      {note ? <dd className={classes.note}>{note}</dd> : null}
    </div>
  );
}

/** Tiles side by side. */
export function Tiles({ children }: { children: ReactNode }) {
  return <dl className={classes.tiles}>{children}</dl>;
}
