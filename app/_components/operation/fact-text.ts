import type { useTranslations } from 'next-intl';
import type { FactRow } from '@/lib/present/timeline-model';

type OperationWords = ReturnType<typeof useTranslations<'operations'>>;

/** Entity ids that a fact names; empty when it names none. */
export function factEntityIds(fact: FactRow['fact']): string[] {
  return fact.type === 'readback' || fact.type === 'closed' ? (fact.entityIds ?? []) : [];
}

/** What a fact says, in the reader's words, without its time. */
export function describeFact(t: OperationWords, fact: FactRow['fact']): string {
  switch (fact.type) {
    case 'readback':
      return t('fact.readbackText', { result: fact.result, criterion: fact.criterion });
    case 'auth_refresh':
      return t('fact.auth_refreshText', { ok: String(fact.ok) });
    case 'cause_fixed':
      return fact.code === undefined ? t('fact.cause_fixedText') : t('fact.cause_fixedCodeText', { code: fact.code });
    case 'job_result':
      return t('fact.job_resultText', { job: fact.jobId, result: fact.result });
    case 'closed':
      return t('fact.closedText', { result: fact.result });
    case 'webhook_delivery':
      return t('fact.webhook_deliveryText', { event: fact.event, status: fact.status });
  }
}
