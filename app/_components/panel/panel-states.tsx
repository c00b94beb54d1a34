import { IconChartDots, IconInbox } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { SAMPLE_MIN } from '@/lib/present/compare';
import { formatCount } from '@/lib/present/number';
import classes from './panel.module.css';

/** The panel is on its way. */
export function PanelLoading({ name }: { name: string }) {
  const t = useTranslations('common.panel');
  return (
    <div className={classes.loading} role="status" aria-label={t('loading', { name })}>
      <span className={classes.bone} />
      <span className={classes.bone} />
      <span className={classes.bone} />
    </div>
  );
}

/** The query worked and there is nothing: says what would be here. */
export function PanelEmpty({ children }: { children?: ReactNode }) {
  const t = useTranslations('common.panel');
  return (
    <div className={classes.state} data-kind="empty">
      <IconInbox size={18} aria-hidden />
      <div>
        {children ?? (
          <>
            <p>{t('emptyFiltered')}</p>
            <p className={classes.quiet}>{t('widen')}</p>
          </>
        )}
      </div>
    </div>
  );
}

/** There is something, but too little for a rate to mean anything. */
export function PanelNotEnough({ count }: { count: number }) {
  const t = useTranslations('common.panel');
  const locale = useLocale();
  return (
    <div className={classes.state} data-kind="not_enough">
      <IconChartDots size={18} aria-hidden />
      <div>
        <p>{t('notEnoughTitle')}</p>
        <p className={classes.quiet}>{t('notEnough', { count, min: formatCount(SAMPLE_MIN, locale) })}</p>
      </div>
    </div>
  );
}
