import { getTranslations } from 'next-intl/server';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { Tile, Tiles } from '@/app/_components/panel/tile';
import { NotEnoughData } from '@/app/_components/state/not-enough-data';
import type { PageContext } from '@/lib/auth/context';
import { readRate, SAMPLE_MIN } from '@/lib/present/compare';
import { formatDuration } from '@/lib/present/duration';
import { formatCount, formatPercent } from '@/lib/present/number';
import type { ComplianceView } from '@/lib/queries/views';
import classes from '../compliance.module.css';

const REST = ['pending', 'noRetryObserved', 'gaveUp', 'unusable', 'notJudged'] as const;

/** The whole range in numbers: asked is the sum of its eight parts. */
export async function ComplianceFigures({ page, view }: { page: PageContext; view: Promise<ComplianceView> }) {
  const [t, { total }] = await Promise.all([getTranslations('compliance.figures'), view]);
  if (total.asked === 0) return <PanelEmpty>{t('nothing')}</PanelEmpty>;
  const { locale } = page;
  const judged = total.honoured + total.early + total.earlyCapped;
  const reading = readRate(total.rate, judged);
  return (
    <>
      {reading.kind === 'not_enough' ? <NotEnoughData count={reading.sample} need={SAMPLE_MIN} /> : null}
      <Tiles>
        <Tile
          label={t('rate')}
          value={reading.kind === 'rate' ? formatPercent(reading.share, locale) : '–'}
          note={t('rateNote', {
            honoured: formatCount(total.honoured, locale),
            judged: formatCount(judged, locale),
          })}
        />
        <Tile label={t('asked')} value={formatCount(total.asked, locale)} note={t('askedNote')} />
        <Tile label={t('honoured')} value={formatCount(total.honoured, locale)} />
        <Tile
          label={t('early')}
          value={formatCount(total.early, locale)}
          tone={total.early > 0 ? 'bad' : undefined}
          note={t('earlyNote', {
            p50: formatDuration(total.earlyMsP50, locale),
            max: formatDuration(total.earlyMsMax, locale),
          })}
        />
        <Tile label={t('earlyCapped')} value={formatCount(total.earlyCapped, locale)} note={t('earlyCappedNote')} />
        {REST.map((name) => (
          <Tile key={name} label={t(name)} value={formatCount(total[name], locale)} />
        ))}
        <Tile label={t('overWait')} value={formatDuration(total.overWaitMs, locale)} note={t('overWaitNote')} />
      </Tiles>
      <p className={classes.quiet}>{t('hint')}</p>
    </>
  );
}
