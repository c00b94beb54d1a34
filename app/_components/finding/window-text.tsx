import { useLocale, useTranslations } from 'next-intl';
import { formatInstantFull } from '@/lib/present/instant';
import type { FindingSubjectView, FindingWindowView } from '@/lib/queries/views';
import classes from './finding.module.css';

interface WindowTextProps {
  subject: FindingSubjectView;
  window: FindingWindowView;
  tz: string;
}

/** Of whom a check across operations speaks, and what it looked at to say so. */
export function WindowText({ subject, window, tz }: WindowTextProps) {
  const t = useTranslations('findings.window');
  const locale = useLocale();
  const style = { locale, tz };
  return (
    <span className={classes.window}>
      <span>
        {t(`subject.${subject.kind}`)} <code>{subject.value}</code>
      </span>
      <small>
        {t('looked', {
          operations: window.operations,
          attempts: window.attempts,
          from: formatInstantFull(window.from, style),
          to: formatInstantFull(window.to, style),
        })}
      </small>
    </span>
  );
}
