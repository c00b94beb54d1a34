import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import type { Verdict, Wait } from '@/lib/core/verdict';
import { formatDuration } from '@/lib/present/duration';
import { rulePath } from '@/lib/present/routes';
import { DetailList } from './detail-list';
import classes from './operation.module.css';

function useWaitText(wait: Wait): string {
  const t = useTranslations('operations');
  const locale = useLocale();
  if (wait.delayMs === null || wait.source === 'none' || wait.source === 'backoff') return t('attempt.waitNone');
  const source = wait.source === 'other_header' ? (wait.form ?? '') : t(`waitSource.${wait.source}`);
  const text = t('attempt.waitText', { length: formatDuration(wait.delayMs, locale), source });
  return wait.strict ? `${text}; ${t('attempt.waitStrict')}` : text;
}

/** Why, in the reader's language: what happened, what to do now, the rule's own words, where the source disagrees. */
export interface VerdictExplanation {
  what: string;
  now: string;
  rule: string | null;
  difference: string | null;
}

interface VerdictDetailsProps {
  slug: string;
  verdict: Verdict;
  explanation: VerdictExplanation | null;
}

/** What the rules say of one send, and why. */
export function VerdictDetails({ slug, verdict, explanation }: VerdictDetailsProps) {
  const t = useTranslations('operations');
  const locale = useLocale();
  const wait = useWaitText(verdict.wait);
  const { skewMs } = verdict.wait;
  const skewed = verdict.flags.includes('clock_skew') && skewMs !== null;
  return (
    <div className={classes.verdict}>
      {verdict.unknownOutcome ? <p className={classes.warning}>{t('attempt.unknownOutcome')}</p> : null}
      {explanation ? (
        <>
          <p>
            {explanation.what} <strong>{explanation.now}</strong>
          </p>
          {explanation.difference ? <p className={classes.quiet}>{explanation.difference}</p> : null}
        </>
      ) : null}
      <DetailList
        details={[
          { label: t('attempt.gates'), value: verdict.gates.map((gate) => t(`gate.${gate}`)).join(', ') },
          { label: t('attempt.reached'), value: t(`reached.${verdict.reached}`) },
          { label: t('attempt.effect'), value: t(`effect.${verdict.effect}`) },
          { label: t('attempt.phase'), value: t(`phase.${verdict.phase}`) },
          { label: t('attempt.wait'), value: wait },
          { label: t('attempt.condition'), value: explanation?.rule },
          {
            label: t('attempt.rule'),
            value: (
              <Link href={rulePath(slug, verdict.ruleSet, verdict.rule)}>
                {t('attempt.ruleLink', { rule: verdict.rule, ruleSet: verdict.ruleSet })}
              </Link>
            ),
          },
          {
            label: t('attempt.flags'),
            value:
              verdict.flags.length === 0 ? null : (
                <ul className={classes.flags}>
                  {verdict.flags.map((flag) => (
                    <li key={flag}>{t(`flag.${flag}`)}</li>
                  ))}
                  {skewed ? <li>{t('attempt.skew', { length: formatDuration(Math.abs(skewMs), locale) })}</li> : null}
                </ul>
              ),
          },
        ]}
      />
    </div>
  );
}
