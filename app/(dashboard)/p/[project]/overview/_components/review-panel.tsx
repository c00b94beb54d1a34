import { getTranslations } from 'next-intl/server';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { Tile, Tiles } from '@/app/_components/panel/tile';
import type { PageContext } from '@/lib/auth/context';
import { formatAge } from '@/lib/present/duration';
import { formatCount, formatMoney } from '@/lib/present/number';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { getReviewSummary } from '@/lib/queries/review';

/** Writes nobody can vouch for, whatever their age: how many, how old, what they are worth. */
export async function ReviewPanel({ page, scope }: { page: PageContext; scope: Scope }) {
  const { locale } = page;
  const [t, summary] = await Promise.all([
    getTranslations('overview.review'),
    getReviewSummary(page, { ...scope.filters, actorId: page.actor.id }),
  ]);
  const unresolved = summary.waiting + summary.open + summary.claimed + summary.snoozed;
  const queue = (...states: string[]): string =>
    sectionPath(page.project.slug, 'review') + writeScope(scope, { extra: { state: states } });
  if (unresolved === 0) {
    return (
      <PanelEmpty>
        <p>{t('nothing')}</p>
        <p>{t('resolved', { count: summary.resolved })}</p>
      </PanelEmpty>
    );
  }
  return (
    <Tiles>
      <Tile
        label={t('open')}
        value={formatCount(summary.open + summary.claimed, locale)}
        href={queue('open', 'claimed')}
        note={t('claimed', { count: summary.claimed })}
        tone={summary.open > 0 ? 'warn' : undefined}
      />
      <Tile
        label={t('waiting')}
        value={formatCount(summary.waiting, locale)}
        href={queue('waiting')}
        note={t('waitingNote')}
      />
      <Tile label={t('snoozed')} value={formatCount(summary.snoozed, locale)} href={queue('snoozed')} />
      <Tile
        label={t('oldest')}
        value={formatAge(summary.oldestOpenedAt === null ? null : page.now - summary.oldestOpenedAt, locale)}
        href={queue('waiting', 'open', 'claimed', 'snoozed')}
        note={t('pastDue', { count: summary.pastDue })}
        tone={summary.pastDue > 0 ? 'bad' : undefined}
      />
      <Tile
        label={t('atStake')}
        wide
        value={
          summary.atStake.length === 0
            ? t('noAmounts')
            : summary.atStake.slice(0, 3).map((money) => <div key={money.currency}>{formatMoney(money, locale)}</div>)
        }
        href={queue('waiting', 'open', 'claimed', 'snoozed')}
        note={
          summary.atStake.length > 3 ? t('moreCurrencies', { count: summary.atStake.length - 3 }) : t('atStakeNote')
        }
      />
    </Tiles>
  );
}
