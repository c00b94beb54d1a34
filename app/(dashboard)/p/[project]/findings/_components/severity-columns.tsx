import { useLocale, useTranslations } from 'next-intl';
import type { Column } from '@/app/_components/table/data-table';
import { SEVERITIES, type Severity } from '@/lib/core/operation';
import { formatCount } from '@/lib/present/number';
import classes from '../findings.module.css';

/** One column a severity; what is not there is quiet. */
export function useSeverityColumns<Row>(countsOf: (row: Row) => Readonly<Record<Severity, number>>): Column<Row>[] {
  const t = useTranslations('operations.severity');
  const locale = useLocale();
  return SEVERITIES.map((severity) => ({
    id: severity,
    header: t(severity),
    numeric: true,
    sortable: true,
    cell: (row: Row) => {
      const count = countsOf(row)[severity];
      if (count > 0) return formatCount(count, locale);
      return (
        <span className={classes.none} data-zero>
          {formatCount(count, locale)}
        </span>
      );
    },
  }));
}
