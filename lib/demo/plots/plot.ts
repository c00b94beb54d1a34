import { HOUR_MS, shareOfPeak } from '../calendar';
import type { Story } from '../story';

/** What a plot is told besides the hour: when the demo began, and how much of the full week to make. */
export interface Setting {
  anchor: number;
  /** 1 = the whole week's traffic. */
  scale: number;
}

/** One thread of the week: adds what happened to it in the story's hour. */
export type Plot = (story: Story, setting: Setting) => void;

/**
 * Instants in the hour, in order, for something that happens `peakPerHour` times in the busiest hour.
 * `basePerHour` happens at night too.
 */
export function drawInstants(story: Story, setting: Setting, peakPerHour: number, basePerHour = 0): number[] {
  const share = shareOfPeak(story.hourStart);
  const count = story.random.count((basePerHour + peakPerHour * share) * setting.scale);
  const instants = Array.from({ length: count }, () => story.hourStart + story.random.next() * HOUR_MS);
  return instants.sort((a, b) => a - b);
}
