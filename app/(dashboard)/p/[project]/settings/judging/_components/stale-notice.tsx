import { Alert, Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { JudgingChange } from '@/lib/present/judging-draft';
import { ChangeList } from './change-list';

/** Somebody saved while this person was typing: what they changed, and that nothing is lost. */
export function StaleNotice({
  name,
  theirs,
  onSeen,
}: {
  name: string | null;
  theirs: JudgingChange[];
  onSeen: () => void;
}) {
  const t = useTranslations('settings.judging.stale');
  return (
    <Alert color="yellow" variant="light" mb="sm" role="alert" title={t('title', { name: name ?? t('someone') })}>
      {t('body')}
      <ChangeList changes={theirs} />
      <Button size="compact-sm" variant="default" mt="xs" onClick={onSeen}>
        {t('seen')}
      </Button>
    </Alert>
  );
}
