import { useTranslations } from 'next-intl';
import { MessagePage } from './_components/state/message-page';

export default function NotFound() {
  const t = useTranslations('shell.error');
  return <MessagePage title={t('notFoundTitle')} body={t('notFoundBody')} href="/projects" link={t('home')} />;
}
