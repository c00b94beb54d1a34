import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import { formatDuration } from '@/lib/present/duration';
import { formatInstantFull, toIso } from '@/lib/present/instant';
import type { TimelineModel } from '@/lib/present/timeline-model';
import { TimelineLegend } from './timeline-legend';
import { FactTimelineRow, SendTimelineRow } from './timeline-row';
import { AxisStrip, TimelinePatterns } from './timeline-strip';
import classes from './timeline.module.css';

interface TimelineProps {
  model: TimelineModel;
  /** Address of the page part that tells a send in full; null where it is not on this page. */
  sendHref: ((eventId: string) => string) | null;
}

/**
 * The story of one operation, drawn to scale. The drawing is an ordered list whose rows say in words what their
 * strips show, so that nobody needs the picture to read it.
 */
export function Timeline({ model, sendHref }: TimelineProps) {
  const t = useTranslations('operations.timeline');
  const locale = useLocale();
  const tz = useTimeZone() ?? 'UTC';
  if (model.rows.length === 0) return <p className={classes.note}>{t('empty')}</p>;
  const lengths = model.breaks.map((gap) => formatDuration(gap.skippedMs, locale)).join(', ');
  return (
    <figure className={classes.figure} aria-label={t('label')}>
      <TimelinePatterns />
      <p className={classes.note}>
        <time dateTime={toIso(model.from)}>
          {t('starts', { from: formatInstantFull(model.from, { locale, tz }) })} {tz}
        </time>
        {' · '}
        {t('lasts', { length: formatDuration(model.to - model.from, locale) })}
      </p>
      <AxisStrip model={model} />
      <ol className={classes.rows}>
        {model.rows.map((row) =>
          row.kind === 'send' ? (
            <SendTimelineRow key={row.id} row={row} model={model} sendHref={sendHref} />
          ) : (
            <FactTimelineRow key={row.id} row={row} model={model} />
          ),
        )}
      </ol>
      {model.breaks.length > 0 ? (
        <p className={classes.note}>{t('breaksNote', { count: model.breaks.length, lengths })}</p>
      ) : null}
      <TimelineLegend />
    </figure>
  );
}
