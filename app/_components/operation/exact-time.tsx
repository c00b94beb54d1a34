import { useLocale, useTimeZone } from 'next-intl';
import { formatInstantFull, toIso } from '@/lib/present/instant';
import classes from './operation.module.css';

/** An instant down to the millisecond in the viewer's zone; the zone is in its tip. */
export function ExactTime({ at }: { at: number }) {
  const locale = useLocale();
  const tz = useTimeZone() ?? 'UTC';
  return (
    <time className={classes.time} dateTime={toIso(at)} title={`${toIso(at)} · ${tz}`}>
      {formatInstantFull(at, { locale, tz })}
    </time>
  );
}
