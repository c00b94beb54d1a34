import { useTranslations } from 'next-intl';
import { MessagePage } from '@/app/_components/state/message-page';

export default function ForbiddenHere() {
  const t = useTranslations('shell.error');
  return <MessagePage inside title={t('forbiddenTitle')} body={t('forbiddenBody')} href="/projects" link={t('home')} />;
}
