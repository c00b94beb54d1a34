import { getTranslations } from 'next-intl/server';
import { ShareBars } from '@/app/_components/chart/share-bars';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import { prepareHistogram } from '@/lib/present/histogram';
import type { ComplianceView } from '@/lib/queries/views';
import classes from '../compliance.module.css';

/** How much too early the early retries came. Every bar has its number: it is its own table. */
export async function EarlyHistogram({ page, view }: { page: PageContext; view: Promise<ComplianceView> }) {
  const [t, { histogram }] = await Promise.all([getTranslations('compliance.histogram'), view]);
  const bars = prepareHistogram(histogram, page.locale);
  if (bars.every((bar) => bar.count === 0)) return <PanelEmpty>{t('nothing')}</PanelEmpty>;
  const longest = Math.max(...bars.map((bar) => bar.share));
  return (
    <>
      <ShareBars
        label={t('title')}
        bars={bars.map((bar) => ({
          key: bar.label,
          label: bar.label,
          count: bar.count,
          share: bar.share / longest,
          fill: 'light-dark(var(--mantine-color-red-7), var(--mantine-color-red-5))',
        }))}
      />
      <p className={classes.quiet}>{t('hint')}</p>
    </>
  );
}
