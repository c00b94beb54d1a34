import { useTranslations } from 'next-intl';
import type { Finding } from '@/lib/core/operation';
import en from '@/messages/en/operations.json';
import classes from './operation.module.css';

type CheckWord = keyof (typeof en)['check'];

function isCheckWord(check: string): check is CheckWord {
  return Object.hasOwn(en.check, check);
}

/** What the checks found in one operation, worst first as given. */
export function FindingList({ findings }: { findings: Finding[] }) {
  const t = useTranslations('operations');
  return (
    <ul className={classes.findings}>
      {findings.map((finding, place) => (
        <li key={`${finding.check}-${finding.attempt ?? ''}-${place}`}>
          <span className={classes.severity} data-severity={finding.severity}>
            {t(`severity.${finding.severity}`)}
          </span>{' '}
          {isCheckWord(finding.check) ? t(`check.${finding.check}`) : <code>{finding.check}</code>}
          {finding.attempt === undefined ? null : ` · ${t('attempt.title', { attempt: finding.attempt })}`}
        </li>
      ))}
    </ul>
  );
}
