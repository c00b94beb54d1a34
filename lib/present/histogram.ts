import { formatDuration } from './duration';
import type { Locale } from '../core/locale';

export interface HistogramClass {
  fromMs: number;
  /** null = and more. */
  toMs: number | null;
  count: number;
}

export interface HistogramBar {
  label: string;
  count: number;
  /** count ÷ all; 0 when there are none. */
  share: number;
}

/** Names the classes and gives each its share of the whole. Order is that of the classes. */
export function prepareHistogram(classes: readonly HistogramClass[], locale: Locale): HistogramBar[] {
  const total = classes.reduce((sum, one) => sum + one.count, 0);
  return classes.map((one) => ({
    label:
      one.toMs === null
        ? `≥ ${formatDuration(one.fromMs, locale)}`
        : one.fromMs === 0
          ? `< ${formatDuration(one.toMs, locale)}`
          : `${formatDuration(one.fromMs, locale)} – ${formatDuration(one.toMs, locale)}`,
    count: one.count,
    share: total > 0 ? one.count / total : 0,
  }));
}
