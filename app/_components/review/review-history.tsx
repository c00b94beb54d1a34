import { useTranslations } from 'next-intl';
import { ExactTime } from '@/app/_components/operation/exact-time';
import {
  findWord,
  listChanges,
  REVIEW_EVENT_WORDS,
  REVIEW_FIELD_WORDS,
  type FieldChange,
} from '@/lib/present/review-change';
import type { ReviewEventView } from '@/lib/queries/views';
import { ChangeValue } from './change-value';
import classes from './history.module.css';

function ChangeRow({ field, from, to }: FieldChange) {
  const t = useTranslations('review.field');
  const word = findWord(REVIEW_FIELD_WORDS, field);
  return (
    <li>
      {word ? t(word) : field}: {from === null ? null : <ChangeValue field={field} value={from} />}
      {from === null ? null : ' → '}
      <ChangeValue field={field} value={to} />
    </li>
  );
}

function HistoryRow({ event }: { event: ReviewEventView }) {
  const t = useTranslations('review');
  const changes = listChanges(event.oldValue, event.newValue);
  const action = findWord(REVIEW_EVENT_WORDS, event.action);
  return (
    <li>
      <ExactTime at={event.at} /> <strong>{event.actor.name}</strong> {action ? t(`event.${action}`) : event.action}
      {changes.length > 0 ? (
        <ul className={classes.changes}>
          {changes.map((change) => (
            <ChangeRow key={change.field} {...change} />
          ))}
        </ul>
      ) : null}
      {event.note === null ? null : <blockquote className={classes.quote}>{event.note}</blockquote>}
    </li>
  );
}

/** Every change of an item with who, when, old and new value; renewals of a claim are left out. */
export function ReviewHistory({ events }: { events: readonly ReviewEventView[] }) {
  const t = useTranslations('review.history');
  const shown = events.filter((event) => event.action !== 'renewed');
  if (shown.length === 0) return <p className={classes.quiet}>{t('empty')}</p>;
  return (
    <ol className={classes.history}>
      {shown.map((event) => (
        <HistoryRow key={event.id} event={event} />
      ))}
    </ol>
  );
}
