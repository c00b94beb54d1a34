import { useTranslations } from 'next-intl';
import { LegendSample } from './timeline-strip';
import classes from './timeline.module.css';

export function TimelineLegend() {
  const t = useTranslations('operations.timeline');
  const entries = [
    { sign: 'send', words: t('legendSend') },
    { sign: 'unknown', words: t('legendUnknown') },
    { sign: 'wait', words: t('legendWait') },
    { sign: 'next', words: t('legendNext') },
    { sign: 'early', words: t('legendEarly') },
    { sign: 'fact', words: t('legendFact') },
    { sign: 'break', words: t('legendBreak') },
  ] as const;
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {entries.map(({ sign, words }) => (
        <li key={sign}>
          <LegendSample sign={sign} />
          {words}
        </li>
      ))}
    </ul>
  );
}
