import type { Action } from '../core/verdict';

/**
 * Look of the product as data: one accent, quiet greys, six action tones.
 * Colour is never the only sign: every action has its own icon and word too.
 */

/** Ten shades from light to dark, as Mantine wants them; shade 7 on white has a contrast of 5.9. */
export const ACCENT_SHADES = [
  '#eef3fb',
  '#dbe4f3',
  '#b4c7e6',
  '#8aa8d9',
  '#678dce',
  '#517dc8',
  '#4575c6',
  '#3564af',
  '#2c599d',
  '#1e4c8b',
] as const;

/** Mantine colour name of each action; shown through `ActionBadge` and in charts. */
export const ACTION_COLOR: Readonly<Record<Action, string>> = {
  none: 'teal',
  retry_with_limit: 'cyan',
  fix_before_retry: 'yellow',
  state_verification_required: 'orange',
  do_not_retry: 'red',
  not_applicable: 'gray',
};

/** Colours of charts' series by rank, then grey for the rest; each tells apart from its neighbours in both schemes. */
export const SERIES_COLORS = [
  'accent.6',
  'orange.6',
  'teal.6',
  'grape.6',
  'yellow.6',
  'red.6',
  'cyan.6',
  'lime.7',
] as const;
export const OTHER_COLOR = 'gray.5';
