import { IconBan, IconCheck, IconMinus, IconRefresh, IconTool, IconZoomQuestion } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { Action } from '@/lib/core/verdict';
import { ACTION_COLOR } from '@/lib/present/theme';
import { ToneBadge } from './tone-badge';

const ICONS = {
  none: IconCheck,
  retry_with_limit: IconRefresh,
  fix_before_retry: IconTool,
  state_verification_required: IconZoomQuestion,
  do_not_retry: IconBan,
  not_applicable: IconMinus,
} satisfies Record<Action, typeof IconCheck>;

/** The one sign of an action, everywhere: colour, icon and word. */
export function ActionBadge({ action, compact }: { action: Action; compact?: boolean }) {
  const t = useTranslations('common.action');
  const Icon = ICONS[action];
  const words = t(action);
  return (
    <ToneBadge
      tone={ACTION_COLOR[action]}
      icon={<Icon size={14} stroke={2.2} />}
      compact={compact}
      title={compact ? words : undefined}
    >
      {words}
    </ToneBadge>
  );
}
