import { getTranslations } from 'next-intl/server';
import { TrendBadge } from '@/app/_components/badge/trend-badge';
import { CallParts } from '@/app/_components/panel/call-parts';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { Tile, Tiles } from '@/app/_components/panel/tile';
import type { PageContext } from '@/lib/auth/context';
import { compareWithPrevious } from '@/lib/present/compare';
import { formatCount, formatNumber, formatPercent } from '@/lib/present/number';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { viewTotals } from '@/lib/queries/overview';
import classes from '../overview.module.css';
import { readEndings, readRates } from './read-periods';

/** How calls ended, adding up to all calls, and how many attempts it took. */
export async function CallsPanel({ page, scope }: { page: PageContext; scope: Scope }) {
  const { locale } = page;
  const slug = page.project.slug;
  const [t, rates, endings] = await Promise.all([
    getTranslations('overview.calls'),
    readRates(page, scope),
    readEndings(page, scope),
  ]);
  const totals = viewTotals(rates.now, endings.now, scope.filters);
  const before = viewTotals(rates.before, endings.before, scope.filters);
  if (totals.calls === 0 && totals.attempts === 0) return <PanelEmpty />;
  const rate = totals.attempts > 0 ? totals.errors / totals.attempts : null;
  const rateBefore = before.attempts > 0 ? before.errors / before.attempts : null;
  return (
    <>
      <CallParts
        slug={slug}
        scope={scope}
        totals={totals}
        total={t('total')}
        trend={
          <TrendBadge
            trend={compareWithPrevious(totals.calls, before.calls, { current: totals.calls, previous: before.calls })}
            worse="neither"
          />
        }
      />
      <Tiles>
        <Tile
          label={t('errorRate')}
          value={formatPercent(rate, locale)}
          href={sectionPath(slug, 'codes') + writeScope(scope)}
          note={
            rate === null ? null : (
              <TrendBadge
                unit="points"
                trend={compareWithPrevious(rate, rateBefore ?? 0, {
                  current: totals.attempts,
                  previous: before.attempts,
                })}
              />
            )
          }
        />
        <Tile
          label={t('errors')}
          value={formatCount(totals.errors, locale)}
          href={sectionPath(slug, 'codes') + writeScope(scope)}
          note={t('ofAttempts', { attempts: formatCount(totals.attempts, locale) })}
        />
        <Tile label={t('attemptsPerCall')} value={formatNumber(totals.attemptsPerOperation, locale)} />
      </Tiles>
      <p className={classes.quiet}>{t('hint')}</p>
    </>
  );
}
