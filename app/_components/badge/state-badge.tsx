import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleHalf2,
  IconCircleMinus,
  IconCircleX,
  IconCopyCheck,
  IconHourglass,
} from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { OperationState } from '@/lib/core/operation';
import { ToneBadge } from './tone-badge';

const LOOKS = {
  in_progress: ['blue', IconHourglass],
  succeeded: ['teal', IconCircleCheck],
  succeeded_with_possible_duplicates: ['orange', IconCopyCheck],
  failed: ['red', IconCircleX],
  unresolved: ['orange', IconAlertTriangle],
  partially_applied: ['yellow', IconCircleHalf2],
  cancelled: ['gray', IconCircleMinus],
} satisfies Record<OperationState, [string, typeof IconHourglass]>;

/** State of an operation. */
export function StateBadge({ state }: { state: OperationState }) {
  const t = useTranslations('common.state');
  const [tone, Icon] = LOOKS[state];
  return (
    <ToneBadge tone={tone} icon={<Icon size={14} stroke={2} />}>
      {t(state)}
    </ToneBadge>
  );
}
