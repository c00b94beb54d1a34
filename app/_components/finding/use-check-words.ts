import { useTranslations } from 'next-intl';
import { CHECK_NAMES } from '@/lib/core/check-name';

/** The name of a check in words; a check this build does not know keeps its own name. */
export function useCheckWords(): (check: string) => string {
  const t = useTranslations('operations.check');
  return (check) => {
    const known = CHECK_NAMES.find((name) => name === check);
    return known ? t(known) : check;
  };
}
