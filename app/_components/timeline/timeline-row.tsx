import { useLocale, useTranslations } from 'next-intl';
import { ActionBadge } from '../badge/action-badge';
import { CodeText } from '../badge/code-text.client';
import { describeFact, factEntityIds } from '../operation/fact-text';
import { formatDuration } from '@/lib/present/duration';
import type { FactRow, SendRow, TimelineModel } from '@/lib/present/timeline-model';
import { FactStrip, SendStrip } from './timeline-strip';
import classes from './timeline.module.css';

function useSendWords(row: SendRow, from: number): string[] {
  const t = useTranslations('operations.timeline');
  const reasons = useTranslations('operations.reason');
  const locale = useLocale();
  const length = (ms: number) => formatDuration(ms, locale);
  const words: string[] = [];
  const { reason } = row.judged.attempt;
  if (reason) words.push(reasons(reason));
  if (row.startedAt > from) words.push(t('after', { elapsed: `+${length(row.startedAt - from)}` }));
  words.push(row.tookMs === null ? t('noEnd') : t('took', { length: length(row.tookMs) }));
  if (row.overlaps) words.push(t('overlaps'));
  if (row.wait) words.push(t('asked', { length: length(row.wait.askedMs) }));
  if (row.next) words.push(row.next.gapMs < 0 ? t('nextOverlap') : t('nextAfter', { length: length(row.next.gapMs) }));
  return words;
}

interface SendTimelineRowProps {
  row: SendRow;
  model: TimelineModel;
  sendHref: ((eventId: string) => string) | null;
}

export function SendTimelineRow({ row, model, sendHref }: SendTimelineRowProps) {
  const t = useTranslations('operations.timeline');
  const locale = useLocale();
  const words = useSendWords(row, model.from);
  const name = t('send', { attempt: row.attempt });
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.headline}>
          {sendHref ? <a href={sendHref(row.id)}>{name}</a> : <strong>{name}</strong>}
          <ActionBadge action={row.judged.verdict.action} />
          <CodeText value={row.judged.verdict.code} plain />
        </div>
        <div className={classes.detail}>
          {words.join(' · ')}
          {row.next?.standing === 'early' ? (
            <>
              {' · '}
              <strong className={classes.early}>{t('earlyBy', { length: formatDuration(row.earlyMs, locale) })}</strong>
            </>
          ) : null}
        </div>
      </div>
      <SendStrip row={row} model={model} />
    </li>
  );
}

export function FactTimelineRow({ row, model }: { row: FactRow; model: TimelineModel }) {
  const t = useTranslations('operations');
  const locale = useLocale();
  const ids = factEntityIds(row.fact);
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.headline}>
          <strong>{t(`fact.${row.fact.type}`)}</strong> {describeFact(t, row.fact)}
        </div>
        <div className={classes.detail}>
          {t('timeline.after', { elapsed: `+${formatDuration(row.at - model.from, locale)}` })}
          {ids.length > 0 ? ` · ${t('fact.entities', { ids: ids.join(', ') })}` : null}
        </div>
      </div>
      <FactStrip row={row} model={model} />
    </li>
  );
}
