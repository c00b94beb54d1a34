import { useLocale, useTranslations } from 'next-intl';
import { formatAge } from '@/lib/present/duration';
import { formatInstant } from '@/lib/present/instant';
import type { ReviewRowView } from '@/lib/queries/views';
import classes from './review.module.css';

interface DueTextProps {
  item: Pick<ReviewRowView, 'state' | 'dueAt' | 'openedAt' | 'snoozedUntil'>;
  now: number;
  tz: string;
}

/** The next time that matters to the item: deadline, opening or waking. */
export function DueText({ item, now, tz }: DueTextProps) {
  const t = useTranslations('review.due');
  const locale = useLocale();
  if (item.state === 'snoozed' && item.snoozedUntil !== null)
    return t('snoozedUntil', { time: formatInstant(item.snoozedUntil, { locale, tz }, now) });
  if (item.state === 'waiting') return t('opensIn', { length: formatAge(item.openedAt - now, locale) });
  const leftMs = item.dueAt - now;
  if (item.state === 'resolved') return formatInstant(item.dueAt, { locale, tz }, now);
  if (leftMs >= 0) return t('in', { length: formatAge(leftMs, locale) });
  return <strong className={classes.past}>{t('past', { length: formatAge(-leftMs, locale) })}</strong>;
}
