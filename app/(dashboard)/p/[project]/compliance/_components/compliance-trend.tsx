import { getTranslations } from 'next-intl/server';
import { ShareChart } from '@/app/_components/chart/share-chart.client';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import type { PageContext } from '@/lib/auth/context';
import { chooseStep } from '@/lib/present/range';
import type { Scope } from '@/lib/present/scope';
import { prepareShareChart } from '@/lib/present/share-chart';
import type { ComplianceView } from '@/lib/queries/views';

interface ComplianceTrendProps {
  page: PageContext;
  scope: Scope;
  view: Promise<ComplianceView>;
}

/** Share of judged waits that were kept, over time. */
export async function ComplianceTrend({ page, scope, view }: ComplianceTrendProps) {
  const [t, { trend }] = await Promise.all([getTranslations('compliance.trend'), view]);
  const model = prepareShareChart({
    points: trend.map((point) => ({ at: point.at, part: point.honoured, whole: point.honoured + point.early })),
    range: scope.range,
    step: chooseStep(scope.range),
    style: { locale: page.locale, tz: scope.range.tz },
    now: page.now,
  });
  if (model.points.every((point) => point.whole === 0)) return <PanelEmpty />;
  return (
    <ShareChart
      model={model}
      title={t('title')}
      names={{ share: t('share'), part: t('honoured'), whole: t('judged') }}
      colour="accent.6"
      scale="whole"
    />
  );
}
