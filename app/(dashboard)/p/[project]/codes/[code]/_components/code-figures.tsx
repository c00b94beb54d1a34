import { getTranslations } from 'next-intl/server';
import { TrendBadge } from '@/app/_components/badge/trend-badge';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { Tile, Tiles } from '@/app/_components/panel/tile';
import type { PageContext } from '@/lib/auth/context';
import { compareWithPrevious } from '@/lib/present/compare';
import { formatInstant } from '@/lib/present/instant';
import { formatCount, formatPercent } from '@/lib/present/number';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import type { CodeDetailView, CodeRowView } from '@/lib/queries/views';

interface CodeFiguresProps {
  page: PageContext;
  scope: Scope;
  code: string;
  detail: Promise<CodeDetailView | null>;
  rows: Promise<CodeRowView[]>;
}

/** Counts of one code beside the period before. */
export async function CodeFigures({ page, scope, code, detail, rows }: CodeFiguresProps) {
  const [t, found, profiles] = await Promise.all([getTranslations('codes.figure'), detail, rows]);
  if (!found) return <PanelEmpty>{t('never', { code })}</PanelEmpty>;
  const { locale, now } = page;
  const { total } = found;
  const style = { locale, tz: scope.range.tz };
  const samples = { current: total.attempts, previous: total.previousAttempts };
  return (
    <Tiles>
      <Tile
        label={t('count')}
        value={formatCount(total.count, locale)}
        href={sectionPath(page.project.slug, 'operations') + writeScope(scope, { code: [code] })}
        note={<TrendBadge trend={compareWithPrevious(total.count, total.previousCount, samples)} />}
      />
      <Tile
        label={t('rate')}
        value={formatPercent(total.rate, locale)}
        note={
          total.rate === null ? null : (
            <TrendBadge unit="points" trend={compareWithPrevious(total.rate, total.previousRate ?? 0, samples)} />
          )
        }
      />
      <Tile
        label={t('previous')}
        value={total.previousRate === null ? '–' : formatCount(total.previousCount, locale)}
        note={
          total.previousRate === null
            ? t('noBaseline')
            : t('previousShare', { share: formatPercent(total.previousRate, locale) })
        }
      />
      <Tile label={t('first')} value={formatInstant(total.firstAt, style, now)} />
      <Tile label={t('last')} value={formatInstant(total.lastAt, style, now)} />
      <Tile
        label={t('profiles')}
        value={<span className="mono">{profiles.map((row) => row.profile).join(', ')}</span>}
      />
    </Tiles>
  );
}
