import { Alert } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { ActionBadge } from '@/app/_components/badge/action-badge';
import type { Explanation } from '@/lib/core/explain';
import type { Verdict } from '@/lib/core/verdict';
import { formatDuration } from '@/lib/present/duration';
import { rulePath } from '@/lib/present/routes';
import type { TryOne } from './ask-verdicts';
import classes from './rules.module.css';

/** One verdict in words, or why there is none. */
export function TryResult({ result, slug }: { result: TryOne; slug: string }) {
  const t = useTranslations('rules.try');
  if ('error' in result) {
    return (
      <Alert color="red" mt="sm">
        {t('refused')} <code>{result.error.pointer}</code> {result.error.detail}
      </Alert>
    );
  }
  const { verdict, explanation } = result;
  if (!verdict) return <p>{t('noVerdict')}</p>;
  return (
    <>
      <VerdictList verdict={verdict} explanation={explanation ?? null} slug={slug} />
      <details>
        <summary>{t('raw')}</summary>
        <pre className={classes.raw}>{JSON.stringify(verdict, null, 2)}</pre>
      </details>
    </>
  );
}

function VerdictList({
  verdict,
  explanation,
  slug,
}: {
  verdict: Verdict;
  explanation: Explanation | null;
  slug: string;
}) {
  const t = useTranslations('rules.try');
  const word = useTranslations('rules');
  const locale = useLocale();
  const { wait } = verdict;
  const lines: [string, ReactNode][] = [
    [t('result'), <ActionBadge key="action" action={verdict.action} />],
    [t('what'), explanation?.what],
    [t('now'), explanation?.now],
    [
      t('rule'),
      <Link key="rule" href={rulePath(slug, verdict.ruleSet, verdict.rule)}>
        {verdict.rule}
      </Link>,
    ],
    [t('code_'), <code key="code">{verdict.code}</code>],
    [t('reachedLabel'), word(`reached.${verdict.reached}`)],
    [t('effectLabel'), word(`effect.${verdict.effect}`)],
    [
      t('waitLabel'),
      wait.delayMs === null
        ? t('waitNone')
        : t('waitValue', { length: formatDuration(wait.delayMs, locale), form: wait.form ?? wait.source }),
    ],
    [t('difference'), explanation?.difference],
  ];
  return (
    <>
      {verdict.unknownOutcome ? (
        <Alert color="orange" mt="sm" p="xs">
          {t('unknown')}
        </Alert>
      ) : null}
      <dl className={classes.verdict}>
        {lines.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </>
  );
}
