import { getTranslations } from 'next-intl/server';
import { RateChart } from '@/app/_components/chart/rate-chart.client';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import { OTHER_KEY } from '@/lib/present/colour';
import { chooseStep } from '@/lib/present/range';
import { prepareRateChart } from '@/lib/present/rate-chart';
import { codePath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { previousRange } from '@/lib/queries/range';
import { getRateSeries } from '@/lib/queries/rates';

/** Attempts with this code over time, by service, beside the period before. */
export async function CodeChart({ page, scope, code }: { page: PageContext; scope: Scope; code: string }) {
  const { range } = scope;
  const filters = { ...scope.filters, code: [code] };
  const step = chooseStep(range);
  const before = previousRange(range, page.now);
  const [t, rates, ratesBefore] = await Promise.all([
    getTranslations('codes.one'),
    getRateSeries(page, { range, step, groupBy: 'service', filters }),
    before.from < before.to ? getRateSeries(page, { range: before, step, groupBy: 'service', filters }) : null,
  ]);
  const model = prepareRateChart({
    rates,
    ...(ratesBefore ? { previous: { range: before, rates: ratesBefore } } : {}),
    range,
    step,
    style: { locale: page.locale, tz: range.tz },
    now: page.now,
    hide: [],
  });
  if (model.totalErrors === 0) return <PanelEmpty />;
  const hrefs = Object.fromEntries(
    model.series
      .filter(({ key }) => key !== OTHER_KEY)
      .map(({ key }) => [key, codePath(page.project.slug, code) + writeScope(scope, { service: [key] })]),
  );
  return <RateChart model={model} title={`${code}: ${t('chart')}`} hrefs={hrefs} />;
}
