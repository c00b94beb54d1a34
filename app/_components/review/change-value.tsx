import { useTranslations } from 'next-intl';
import { ExactTime } from '@/app/_components/operation/exact-time';
import { RESOLUTIONS } from '@/lib/core/operation';
import { REVIEW_STATES } from '@/lib/core/review';
import { findWord, SETTLED_WORDS } from '@/lib/present/review-change';

const CAUSES = ['unknown_outcome', 'possible_duplicates'] as const;
const TIME_FIELDS = ['leaseUntil', 'until', 'dueAt'];

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return '';
  return 'type' in value ? textOf(value.type) : JSON.stringify(value);
}

/** A value from an item's history in the reader's words; what has no word is shown as it is. */
export function ChangeValue({ field, value }: { field: string; value: unknown }) {
  const t = useTranslations('review');
  if (value === null || value === undefined) return t('history.none');
  if (TIME_FIELDS.includes(field) && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return <ExactTime at={Date.parse(value)} />;
  const state = field === 'state' ? findWord(REVIEW_STATES, value) : undefined;
  if (state) return t(`state.${state}`);
  const resolution = findWord(RESOLUTIONS, value);
  if (resolution && (field === 'resolution' || field === 'suggestion')) return t(`resolution.${resolution}`);
  const cause = field === 'cause' ? findWord(CAUSES, value) : undefined;
  if (cause) return t(`cause.${cause}`);
  const settled = field === 'settledBy' || field === 'reason' ? findWord(SETTLED_WORDS, value) : undefined;
  return settled ? t(`settledBy.${settled}`) : textOf(value);
}
