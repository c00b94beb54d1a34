import { IconAlertOctagon } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { ToneBadge } from './tone-badge';

/** A rule calls a code safe, and stored evidence says otherwise. */
export function ContradictedBadge() {
  const t = useTranslations('common');
  return (
    <ToneBadge tone="red" icon={<IconAlertOctagon size={14} stroke={2.2} />}>
      {t('contradicted')}
    </ToneBadge>
  );
}
