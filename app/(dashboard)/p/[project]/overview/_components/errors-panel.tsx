import { getTranslations } from 'next-intl/server';
import { RateChart } from '@/app/_components/chart/rate-chart.client';
import { ShareChart } from '@/app/_components/chart/share-chart.client';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import { chooseStep } from '@/lib/present/range';
import { prepareRateChart } from '@/lib/present/rate-chart';
import { codePath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { prepareShareChart } from '@/lib/present/share-chart';
import { previousRange } from '@/lib/queries/range';
import { getRateSeries } from '@/lib/queries/rates';
import classes from '../overview.module.css';

/** Errors by code over time, beside the previous period; and the error rate under it. */
export async function ErrorsPanel({ page, scope }: { page: PageContext; scope: Scope }) {
  const { range, filters } = scope;
  const step = chooseStep(range);
  const before = previousRange(range, page.now);
  const [t, rates, ratesBefore] = await Promise.all([
    getTranslations('overview.errors'),
    getRateSeries(page, { range, step, groupBy: 'code', filters }),
    before.from < before.to ? getRateSeries(page, { range: before, step, groupBy: 'code', filters }) : null,
  ]);
  const style = { locale: page.locale, tz: range.tz };
  const model = prepareRateChart({
    rates,
    ...(ratesBefore ? { previous: { range: before, rates: ratesBefore } } : {}),
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
    model.series.map((one) => [one.key, codePath(slug, one.key) + writeScope(scope, { code: null })]),
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
