import { IconAlertCircle, IconAlertOctagon, IconAlertTriangle, IconInfoCircle, IconNote } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { Severity } from '@/lib/core/operation';
import { ToneBadge } from '../badge/tone-badge';

const LOOKS = {
  critical: ['red', IconAlertOctagon],
  high: ['orange', IconAlertTriangle],
  medium: ['yellow', IconAlertCircle],
  low: ['blue', IconInfoCircle],
  info: ['gray', IconNote],
} satisfies Record<Severity, [string, typeof IconNote]>;

/** How grave a finding is: colour, icon and word. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  const t = useTranslations('operations.severity');
  const [tone, Icon] = LOOKS[severity];
  return (
    <ToneBadge tone={tone} icon={<Icon size={14} stroke={2.2} />}>
      {t(severity)}
    </ToneBadge>
  );
}
