import { useTranslations } from 'next-intl';
import { MessagePage } from './_components/state/message-page';

export default function Forbidden() {
  const t = useTranslations('shell.error');
  return <MessagePage title={t('forbiddenTitle')} body={t('forbiddenBody')} href="/projects" link={t('home')} />;
}
