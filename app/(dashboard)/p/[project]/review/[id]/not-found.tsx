import { useTranslations } from 'next-intl';
import { PageHead } from '@/app/_components/list/page-head';

export default function ReviewItemNotFound() {
  const t = useTranslations('review.item');
  return (
    <>
      <PageHead title={t('notFoundTitle')} />
      <p>{t('notFoundBody')}</p>
    </>
  );
}
