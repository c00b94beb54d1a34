import { useLocale, useTranslations } from 'next-intl';
import { formatAge } from '@/lib/present/duration';
import type { ReviewRowView } from '@/lib/queries/views';

interface HolderTextProps {
  item: Pick<ReviewRowView, 'assignee' | 'leaseUntil'>;
  actorId: string;
  now: number;
}

/** Who holds an item and for how long still. */
export function HolderText({ item, actorId, now }: HolderTextProps) {
  const t = useTranslations('review.holder');
  const locale = useLocale();
  if (!item.assignee) return t('nobody');
  if (item.leaseUntil === null) return item.assignee.name;
  const leftMs = item.leaseUntil - now;
  if (leftMs <= 0) return t('leaseOver', { name: item.assignee.name });
  const left = formatAge(leftMs, locale);
  return item.assignee.id === actorId ? t('you', { left }) : t('other', { name: item.assignee.name, left });
}
