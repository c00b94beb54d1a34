import { CodeText } from '../badge/code-text.client';
import classes from './operation.module.css';

/** Ids beside each other, each copies on click; null when there are none. */
export function CodeList({ values }: { values: readonly string[] }) {
  if (values.length === 0) return null;
  return (
    <span className={classes.codes}>
      {values.map((value) => (
        <CodeText key={value} value={value} />
      ))}
    </span>
  );
}
