import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { RateCell } from '@/app/_components/badge/rate-cell';
import { TrendBadge } from '@/app/_components/badge/trend-badge';
import { PanelEmpty } from '@/app/_components/panel/panel-empty';
import { DataTable } from '@/app/_components/table/data-table';
import type { PageContext } from '@/lib/auth/context';
import { compareWithPrevious } from '@/lib/present/compare';
import { formatCount, formatPercent } from '@/lib/present/number';
import { sectionPath } from '@/lib/present/routes';
import { writeScope, type Scope } from '@/lib/present/scope';
import { countOpenReviews, viewServices } from '@/lib/queries/overview';
import classes from '../overview.module.css';
import { readRates, readWaits } from './read-periods';

const ROWS_MAX = 12;

/** Services, those with unknown writes and errors first. */
export async function ServicesPanel({ page, scope }: { page: PageContext; scope: Scope }) {
  const { locale } = page;
  const slug = page.project.slug;
  const [t, rates, waits, openReviews] = await Promise.all([
    getTranslations('overview.services'),
    readRates(page, scope),
    readWaits(page, scope),
    countOpenReviews(page, scope.filters),
  ]);
  const services = viewServices(rates, waits.now, openReviews);
  if (services.length === 0) return <PanelEmpty />;
  const to = (section: 'overview' | 'codes' | 'review' | 'compliance', service: string): string =>
    sectionPath(slug, section) + writeScope(scope, { service: [service] });
  return (
    <>
      <DataTable
        caption={t('title')}
        rows={services.slice(0, ROWS_MAX)}
        rowKey={(row) => row.service}
        rowHref={(row) => to('overview', row.service)}
        columns={[
          {
            id: 'service',
            header: t('service'),
            minWidth: '8rem',
            cell: (row) => <span className="mono">{row.service}</span>,
          },
          {
            id: 'reviews',
            header: t('openReviews'),
            numeric: true,
            cell: (row) =>
              row.openReviews === 0 ? (
                formatCount(0, locale)
              ) : (
                <Link href={to('review', row.service)} prefetch={false} className={classes.number}>
                  {formatCount(row.openReviews, locale)}
                </Link>
              ),
          },
          {
            id: 'rate',
            header: t('errorRate'),
            numeric: true,
            cell: (row) => (
              <>
                <Link href={to('codes', row.service)} prefetch={false} className={classes.number}>
                  <RateCell share={row.errorRate} sample={row.attempts} />
                </Link>
                <div>
                  <TrendBadge
                    cell
                    unit="points"
                    trend={compareWithPrevious(row.errorRate ?? 0, row.previousErrorRate ?? 0, {
                      current: row.attempts,
                      previous: row.previousAttempts,
                    })}
                  />
                </div>
              </>
            ),
          },
          {
            id: 'waited',
            header: t('waited'),
            numeric: true,
            cell: (row) =>
              row.complianceRate === null ? (
                formatPercent(null, locale)
              ) : (
                <Link href={to('compliance', row.service)} prefetch={false} className={classes.number}>
                  {formatPercent(row.complianceRate, locale)}
                </Link>
              ),
          },
        ]}
      />
      {services.length > ROWS_MAX ? (
        <p className={classes.quiet}>{t('more', { count: services.length - ROWS_MAX })}</p>
      ) : null}
    </>
  );
}
