import { getTranslations } from 'next-intl/server';
import { TrendBadge } from '@/app/_components/badge/trend-badge';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { Tile, Tiles } from '@/app/_components/panel/tile';
import type { PageContext } from '@/lib/auth/context';
import { compareWithPrevious, readRate } from '@/lib/present/compare';
import { formatDuration } from '@/lib/present/duration';
import { formatCount, formatPercent } from '@/lib/present/number';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { viewCompliance } from '@/lib/queries/overview';
import { readWaits } from './read-periods';

/** Whether clients waited as long as they were told. */
export async function WaitsPanel({ page, scope }: { page: PageContext; scope: Scope }) {
  const { locale } = page;
  const [t, periods] = await Promise.all([getTranslations('overview.waits'), readWaits(page, scope)]);
  const waits = viewCompliance(periods.now);
  const before = viewCompliance(periods.before);
  if (waits.asked === 0) return <PanelEmpty>{t('nothing')}</PanelEmpty>;
  const href = sectionPath(page.project.slug, 'compliance') + writeScope(scope);
  const judged = waits.honoured + waits.early + waits.earlyCapped;
  const judgedBefore = before.honoured + before.early + before.earlyCapped;
  const early = waits.early + waits.earlyCapped;
  const reading = readRate(waits.rate, judged);
  return (
    <Tiles>
      <Tile
        label={t('rate')}
        value={reading.kind === 'rate' ? formatPercent(reading.share, locale) : t('notEnough')}
        href={href}
        note={
          reading.kind === 'rate' ? (
            <TrendBadge
              unit="points"
              worse="down"
              trend={compareWithPrevious(reading.share, before.rate ?? 0, { current: judged, previous: judgedBefore })}
            />
          ) : (
            t('judged', { count: judged })
          )
        }
        tone={reading.kind === 'rate' && reading.share < 0.9 ? 'bad' : undefined}
      />
      <Tile
        label={t('early')}
        value={formatCount(early, locale)}
        href={`${href}#always-early`}
        note={t('ofAsked', { asked: formatCount(waits.asked, locale) })}
      />
      <Tile label={t('overWait')} value={formatDuration(waits.overWaitMs, locale)} note={t('overWaitNote')} />
    </Tiles>
  );
}
