import { IconInbox } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import classes from './panel.module.css';

/** The query worked and there is nothing in this range: what that means, or how to see more. */
export function PanelEmpty({ children }: { children?: ReactNode }) {
  const t = useTranslations('common.panel');
  return (
    <div className={classes.empty} data-state="empty">
      <IconInbox size={18} aria-hidden />
      <div>
        {children ?? (
          <>
            <p>{t('emptyFiltered')}</p>
            <p>{t('widen')}</p>
          </>
        )}
      </div>
    </div>
  );
}
