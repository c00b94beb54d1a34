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
  /** Long values: room for two, and a smaller size. */
  wide?: boolean;
}

/** One number, its name, and the way to its list. */
export function Tile({ label, value, href, note, tone, wide }: TileProps) {
  return (
    <div className={classes.tile} data-tone={tone} data-wide={wide || undefined}>
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
