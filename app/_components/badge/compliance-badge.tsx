import {
  IconClockCheck,
  IconClockExclamation,
  IconClockPause,
  IconClockQuestion,
  IconClockX,
  IconDoorExit,
  IconMinus,
  IconPlayerSkipForward,
  IconUnlink,
} from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { Compliance } from '@/lib/core/operation';
import { ToneBadge } from './tone-badge';

const LOOKS = {
  honoured: ['teal', IconClockCheck],
  early: ['red', IconClockExclamation],
  early_capped: ['orange', IconPlayerSkipForward],
  pending: ['blue', IconClockPause],
  no_retry_observed: ['gray', IconClockX],
  gave_up_wait_too_long: ['yellow', IconDoorExit],
  unusable_header: ['grape', IconUnlink],
  not_asked: ['gray', IconMinus],
  not_judged: ['gray', IconClockQuestion],
} satisfies Record<Compliance, [string, typeof IconMinus]>;

/** Whether an asked wait was kept. */
export function ComplianceBadge({ compliance }: { compliance: Compliance }) {
  const t = useTranslations('common.compliance');
  const [tone, Icon] = LOOKS[compliance];
  return (
    <ToneBadge tone={tone} icon={<Icon size={14} stroke={2} />}>
      {t(compliance)}
    </ToneBadge>
  );
}
