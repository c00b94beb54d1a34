import { useTranslations } from 'next-intl';
import { KINDS } from '@/lib/core/attempt';
import { ACTIONS } from '@/lib/core/verdict';
import type { FilterField } from '@/lib/present/scope';

/** How a filter's value is said: closed words in the viewer's language, the rest as it is. */
export function useFilterWords(): (field: FilterField, value: string) => string {
  const t = useTranslations('common');
  return (field, value) => {
    const kind = field === 'kind' ? KINDS.find((one) => one === value) : undefined;
    if (kind) return t(`kind.${kind}`);
    const action = field === 'action' ? ACTIONS.find((one) => one === value) : undefined;
    if (action) return t(`action.${action}`);
    return value === '' ? t('filter.empty') : value;
  };
}
