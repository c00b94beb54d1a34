import { useTranslations } from 'next-intl';
import { MessagePage } from '@/app/_components/state/message-page';

export default function NotFoundHere() {
  const t = useTranslations('shell.error');
  return <MessagePage inside title={t('notFoundTitle')} body={t('notFoundBody')} href="/projects" link={t('home')} />;
}
