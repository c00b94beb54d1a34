import { useLocale, useTranslations } from 'next-intl';
import type { Attempt, ErrorNode } from '@/lib/core/attempt';
import type { Pair } from '@/lib/core/operation';
import type { Verdict } from '@/lib/core/verdict';
import { formatDuration } from '@/lib/present/duration';
import { ActionBadge } from '../badge/action-badge';
import { CodeText } from '../badge/code-text.client';
import { ComplianceBadge } from '../badge/compliance-badge';
import { DetailList, type Detail } from './detail-list';
import { ExactTime } from './exact-time';
import { RawEvent } from './raw-event';
import { VerdictDetails, type VerdictExplanation } from './verdict-details';
import classes from './operation.module.css';

/** The chain of causes in one line, outermost first. */
function describeError(error: ErrorNode, depth = 0): string {
  const head = [error.name, error.code, error.syscall].filter((part) => part !== undefined).join(' ');
  const text = error.message === undefined ? head : `${head}: ${error.message}`;
  const inner = [...(error.cause ? [error.cause] : []), ...(error.errors ?? [])];
  if (inner.length === 0 || depth >= 8) return text;
  return `${text} ← ${inner.map((node) => describeError(node, depth + 1)).join(' | ')}`;
}

function useObserved(attempt: Attempt): Detail[] {
  const t = useTranslations('operations');
  const locale = useLocale();
  const { startedAt, headersAt, endedAt, status, firstStatus, batch } = attempt;
  const sdkMade = status !== undefined && attempt.statusOrigin === 'sdk';
  const resent = attempt.reason ? t(`reason.${attempt.reason}`) : t('attempt.reasonUnsaid');
  return [
    { label: t('attempt.sentAt'), value: <ExactTime at={startedAt} /> },
    { label: t('attempt.headAt'), value: headersAt === undefined ? null : <ExactTime at={headersAt} /> },
    { label: t('attempt.endedAt'), value: endedAt === undefined ? t('attempt.notSeen') : <ExactTime at={endedAt} /> },
    { label: t('attempt.took'), value: endedAt === undefined ? null : formatDuration(endedAt - startedAt, locale) },
    { label: t('attempt.reason'), value: attempt.attempt === 1 && !attempt.reason ? null : resent },
    { label: t('attempt.status'), value: sdkMade ? t('attempt.statusSdk', { status }) : status },
    { label: t('attempt.abortBy'), value: attempt.abortBy && t(`abortBy.${attempt.abortBy}`) },
    { label: t('attempt.message'), value: attempt.message },
    { label: t('attempt.warning'), value: attempt.warning },
    { label: t('attempt.error'), value: attempt.error && <code>{describeError(attempt.error)}</code> },
    { label: t('attempt.requestId'), value: attempt.requestId && <CodeText value={attempt.requestId} /> },
    { label: t('attempt.jobId'), value: attempt.jobId && <CodeText value={attempt.jobId} /> },
    {
      label: t('attempt.firstStatus'),
      value: firstStatus === null ? t('attempt.firstStatusNull') : firstStatus,
    },
    { label: t('attempt.batch'), value: batch && t('attempt.batchText', { item: batch.item ?? '–', batch: batch.id }) },
    {
      label: t('attempt.plannedDelay'),
      value: attempt.plannedDelayMs === undefined ? null : formatDuration(attempt.plannedDelayMs, locale),
    },
  ];
}

function PairDetails({ pair }: { pair: Pair }) {
  const t = useTranslations('operations.attempt');
  const locale = useLocale();
  return (
    <DetailList
      details={[
        {
          label: t('compliance'),
          value: (
            <>
              <ComplianceBadge compliance={pair.compliance} />
              {pair.approx ? <span className={classes.quiet}> {t('approx')}</span> : null}
            </>
          ),
        },
        { label: t('gap'), value: pair.gapMs === null ? null : formatDuration(pair.gapMs, locale) },
        { label: t('early'), value: pair.earlyMs > 0 ? formatDuration(pair.earlyMs, locale) : null },
        { label: t('over'), value: pair.overMs > 0 ? formatDuration(pair.overMs, locale) : null },
      ]}
    />
  );
}

export interface AttemptCardProps {
  slug: string;
  attempt: Attempt;
  verdict: Verdict;
  synthetic: boolean;
  raw: unknown;
  pair: Pair | null;
  explanation: VerdictExplanation | null;
}

/** Address of a send's card on its page. */
export function attemptAnchor(eventId: string): string {
  return `send-${eventId}`;
}

/** One send with its own outcome, times and verdict. */
export function AttemptCard({ slug, attempt, verdict, synthetic, raw, pair, explanation }: AttemptCardProps) {
  const t = useTranslations('operations');
  const observed = useObserved(attempt);
  const outcome = attempt.outcome ? t(`outcome.${attempt.outcome}`) : null;
  return (
    <article id={attemptAnchor(attempt.id)} className={classes.card} aria-labelledby={`title-${attempt.id}`}>
      <header className={classes.cardHead}>
        <h3 id={`title-${attempt.id}`}>{t('attempt.title', { attempt: attempt.attempt })}</h3>
        {outcome ? <span>{outcome}</span> : null}
        <CodeText value={verdict.code} />
        <ActionBadge action={verdict.action} />
        {attempt.reason && attempt.reason !== 'retry' ? (
          <span className={classes.reason}>{t(`reason.${attempt.reason}`)}</span>
        ) : null}
      </header>
      {synthetic ? <p className={classes.warning}>{t('attempt.synthetic')}</p> : null}
      {attempt.notRun ? <p className={classes.warning}>{t('attempt.notRun')}</p> : null}
      <div className={classes.cardBody}>
        <DetailList details={observed} />
        <div>
          <VerdictDetails slug={slug} verdict={verdict} explanation={explanation} />
          {pair ? <PairDetails pair={pair} /> : null}
        </div>
      </div>
      <RawEvent raw={raw} />
    </article>
  );
}
