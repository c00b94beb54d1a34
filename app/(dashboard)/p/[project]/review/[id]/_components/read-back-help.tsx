import { useTranslations } from 'next-intl';
import { CodeList } from '@/app/_components/operation/code-list';
import { ExactTime } from '@/app/_components/operation/exact-time';
import type { OperationDigest } from '@/lib/present/operation-facts';
import classes from './item.module.css';

interface ReadBackHelpProps {
  /** As it was sent. */
  call: string;
  target: string;
  digest: OperationDigest;
  /** Sends that were applied or may have been. */
  possibleEffects: number;
  /** Epoch ms of the first send's start: an effect can be as old as that, whenever the answer failed. */
  sentFrom: number;
  /** Epoch ms until which an absence proves nothing. */
  settledFrom: number;
}

/** What to look for, where, by which attribute, and what each finding means: in general words, with this item's values. */
export function ReadBackHelp({ call, target, digest, possibleEffects, sentFrom, settledFrom }: ReadBackHelpProps) {
  const t = useTranslations('review.help');
  const ways = [
    { words: t('businessKey'), values: digest.businessKeys },
    { words: t('entityIds'), values: digest.entityIds },
    { words: t('jobIds'), values: digest.jobIds },
    { words: t('requestIds'), values: digest.requestIds },
  ].filter(({ values }) => values.length > 0);
  const unique = digest.businessKeys.length + digest.entityIds.length + digest.jobIds.length > 0;
  return (
    <div className={classes.help}>
      <p>{target === '' ? t('whereUnknown', { call }) : t('where', { target, call })}</p>
      {ways.length > 0 ? (
        <>
          <p>{t('by')}</p>
          <ul>
            {ways.map(({ words, values }) => (
              <li key={words}>
                {words}: <CodeList values={values} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {unique ? null : <p>{t('byTime')}</p>}
      <p>{t.rich('window', { from: () => <ExactTime at={sentFrom} /> })}</p>
      <p>{t.rich('tooSoon', { until: () => <ExactTime at={settledFrom} /> })}</p>
      {possibleEffects > 0 ? <p>{t('sends', { count: possibleEffects })}</p> : null}
      <p>{t('outcomes')}</p>
    </div>
  );
}
