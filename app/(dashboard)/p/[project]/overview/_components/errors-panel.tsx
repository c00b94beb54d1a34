import { getTranslations } from 'next-intl/server';
import { RateChart } from '@/app/_components/chart/rate-chart.client';
import { ShareChart } from '@/app/_components/chart/share-chart.client';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import { OTHER_KEY } from '@/lib/present/colour';
import { chooseStep } from '@/lib/present/range';
import { prepareRateChart } from '@/lib/present/rate-chart';
import { codePath, sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { prepareShareChart } from '@/lib/present/share-chart';
import { viewSeries } from '@/lib/queries/overview';
import classes from '../overview.module.css';
import { findPeriods, readRates } from './read-periods';

/** Errors by code over time, beside the previous period; and the error rate under it. */
export async function ErrorsPanel({ page, scope }: { page: PageContext; scope: Scope }) {
  const { range, filters } = scope;
  const step = chooseStep(range);
  const { now, before } = findPeriods(page, scope);
  const [t, rates] = await Promise.all([getTranslations('overview.errors'), readRates(page, scope)]);
  const style = { locale: page.locale, tz: range.tz };
  const previous = { range: before.range, rates: viewSeries(rates.before, before, filters, page.now) };
  const model = prepareRateChart({
    rates: viewSeries(rates.now, now, filters, page.now),
    ...(before.starts.length > 0 ? { previous } : {}),
    range,
    step,
    style,
    now: page.now,
  });
  if (model.totalAttempts === 0) return <PanelEmpty />;
  const shares = prepareShareChart({
    points: model.points.map((point) => ({ at: point.at, part: point.errors, whole: point.attempts })),
    range,
    step,
    style,
    now: page.now,
  });
  const slug = page.project.slug;
  const hrefs = Object.fromEntries(
    model.series.map(({ key }) => [
      key,
      key === OTHER_KEY
        ? sectionPath(slug, 'codes') + writeScope(scope)
        : codePath(slug, key) + writeScope(scope, { code: null }),
    ]),
  );
  return (
    <>
      {model.totalErrors === 0 ? (
        <PanelEmpty>{t('none')}</PanelEmpty>
      ) : (
        <RateChart model={model} title={t('title')} hrefs={hrefs} />
      )}
      <p className={classes.quiet}>{t('rateTitle')}</p>
      <ShareChart
        model={shares}
        title={t('rateTitle')}
        names={{ share: t('rate'), part: t('errors'), whole: t('attempts') }}
        colour="red.7"
      />
    </>
  );
}
