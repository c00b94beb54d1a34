import { useTranslations } from 'next-intl';
import classes from './judging.module.css';
import type { SaveNote } from './use-judging';

/** How a save ended: what happened, what is safe, what to do. */
export function SaveText({ note }: { note: SaveNote }) {
  const t = useTranslations('settings.judging.answer');
  const good = note.kind === 'saved' || note.kind === 'savedOnly' || note.kind === 'nothing';
  const words = (): string => {
    switch (note.kind) {
      case 'invalid':
        return t('invalid', { detail: note.detail });
      case 'busy':
        return t('busy', { seconds: note.seconds });
      case 'running':
        return t('savedOnly');
      default:
        return t(note.kind);
    }
  };
  return (
    <p className={classes.said} data-bad={good ? undefined : true}>
      {words()}
    </p>
  );
}
