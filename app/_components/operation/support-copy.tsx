import { useTranslations } from 'next-intl';
import { prepareSupportText } from '@/lib/present/support-text';
import type { OperationStoryView } from '@/lib/queries/views';
import { CopyButton } from '../form/copy-button.client';

/** Ids, codes and times of an operation on the clipboard, for the platform's support. */
export function SupportCopy({ story }: { story: OperationStoryView }) {
  const t = useTranslations('operations');
  const states = useTranslations('common.state');
  const text = prepareSupportText(
    { ...story, state: states(story.state) },
    {
      operation: t('one.label'),
      service: t('one.service'),
      call: t('one.call'),
      target: t('one.target'),
      state: t('column.state'),
      send: (attempt) => t('attempt.title', { attempt }),
      status: t('attempt.status'),
      requestId: t('attempt.requestId'),
    },
  );
  return <CopyButton value={text} label={t('one.copySupport')} />;
}
