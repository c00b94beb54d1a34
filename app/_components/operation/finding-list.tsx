import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { findingPath } from '@/lib/present/routes';
import type { StoryFindingView } from '@/lib/queries/views';
import { FindingText } from '../finding/finding-text';
import { SeverityBadge } from '../finding/severity-badge';
import { useCheckWords } from '../finding/use-check-words';
import { WindowText } from '../finding/window-text';
import classes from './operation.module.css';

interface FindingListProps {
  slug: string;
  tz: string;
  findings: StoryFindingView[];
}

/** What the checks found in one operation, worst first as given, and what was found across others about it. */
export function FindingList({ slug, tz, findings }: FindingListProps) {
  const t = useTranslations('operations');
  const words = useCheckWords();
  return (
    <ul className={classes.findings}>
      {findings.map((finding, place) => (
        <li key={`${finding.check}-${finding.attempt ?? ''}-${place}`}>
          <SeverityBadge severity={finding.severity} />{' '}
          <Link href={findingPath(slug, finding.check)} prefetch={false}>
            {words(finding.check)}
          </Link>
          {finding.attempt === undefined ? null : ` · ${t('attempt.title', { attempt: finding.attempt })}`}
          <FindingText finding={finding} />
          {finding.window && finding.subject ? (
            <WindowText subject={finding.subject} window={finding.window} tz={tz} />
          ) : null}
        </li>
      ))}
    </ul>
  );
}
