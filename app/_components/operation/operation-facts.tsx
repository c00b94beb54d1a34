import { useLocale, useTranslations } from 'next-intl';
import { formatMoney } from '@/lib/present/number';
import type { OperationDigest } from '@/lib/present/operation-facts';
import type { OperationStoryView } from '@/lib/queries/views';
import { CodeText } from '../badge/code-text.client';
import { CodeList } from './code-list';
import { DetailList } from './detail-list';
import { ExactTime } from './exact-time';

interface OperationFactsProps {
  row: OperationStoryView;
  digest: OperationDigest;
}

function useKeyText(digest: OperationDigest): string {
  const t = useTranslations('operations.one');
  const words = { none: t('keyNone'), same: t('keySame'), some: t('keySome'), changed: t('keyChanged') };
  const modes = digest.keyModes.join(', ');
  return modes === '' ? words[digest.key] : `${words[digest.key]} (${modes})`;
}

/** Who called whom, when, with which ids. */
export function OperationFacts({ row, digest }: OperationFactsProps) {
  const t = useTranslations('operations.one');
  const kinds = useTranslations('common.kind');
  const locale = useLocale();
  const key = useKeyText(digest);
  const policy = Object.entries(digest.policy ?? {}).map(([name, value]) => `${name} ${value}`);
  return (
    <DetailList
      details={[
        { label: t('service'), value: row.service },
        { label: t('call'), value: <CodeText value={row.call} /> },
        {
          label: t('callTemplate'),
          value: row.callTemplate !== row.call && <CodeText value={row.callTemplate} />,
        },
        { label: t('kind'), value: kinds(row.kind) },
        { label: t('target'), value: row.target },
        { label: t('profile'), value: <code>{row.profile}</code> },
        { label: t('sdk'), value: row.sdk },
        { label: t('environment'), value: row.environment },
        { label: t('instance'), value: digest.instances.join(', ') },
        { label: t('first'), value: <ExactTime at={row.firstAt} /> },
        { label: t('last'), value: <ExactTime at={row.lastAt} /> },
        { label: t('businessKey'), value: digest.businessKeys.length > 0 && <CodeList values={digest.businessKeys} /> },
        { label: t('requestIds'), value: digest.requestIds.length > 0 && <CodeList values={digest.requestIds} /> },
        { label: t('jobIds'), value: digest.jobIds.length > 0 && <CodeList values={digest.jobIds} /> },
        { label: t('entityIds'), value: digest.entityIds.length > 0 && <CodeList values={digest.entityIds} /> },
        { label: t('amount'), value: digest.amount && formatMoney(digest.amount, locale) },
        { label: t('key'), value: row.kind === 'write' ? key : null },
        { label: t('policy'), value: policy.length > 0 && <code>{policy.join(', ')}</code> },
      ]}
    />
  );
}
