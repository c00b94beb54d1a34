import { useTranslations } from 'next-intl';
import { PageHead } from '@/app/_components/list/page-head';

export default function OperationNotFound() {
  const t = useTranslations('operations.one');
  return (
    <>
      <PageHead title={t('notFoundTitle')} />
      <p>{t('notFoundBody')}</p>
    </>
  );
}
