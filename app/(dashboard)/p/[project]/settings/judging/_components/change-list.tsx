import type { JudgingChange } from '@/lib/present/judging-draft';
import classes from './judging.module.css';
import { keyOfChange, useChangeWords } from './use-change-words';

/** Changes of the project's judging, old and new value in each line. */
export function ChangeList({ changes }: { changes: readonly JudgingChange[] }) {
  const words = useChangeWords();
  return (
    <ul className={classes.changes}>
      {changes.map((change) => (
        <li key={keyOfChange(change)}>{words(change)}</li>
      ))}
    </ul>
  );
}
