import { useLocale } from 'next-intl';
import { explainFinding } from '@/lib/core/explain-finding';
import type { Finding } from '@/lib/core/operation';
import classes from './finding.module.css';

/** A finding in plain sentences: what happened and why it matters, then what to do now. */
export function FindingText({ finding }: { finding: Finding }) {
  const locale = useLocale();
  const text = explainFinding(finding, locale);
  if (text === null) return null;
  return (
    <span className={classes.text}>
      {text.what} <strong>{text.now}</strong>
    </span>
  );
}
