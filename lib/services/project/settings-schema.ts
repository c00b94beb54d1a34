import { z } from 'zod';
import { PROFILES } from '../../core/attempt';
import { DEFAULT_SETTINGS } from '../../core/operation';
import { isWholeUnit, SETTING_BOUNDS } from '../../core/setting-bounds';
import { editionsOf, SETTING_KEYS } from '../../core/settings-change';

/** The edge of project settings: what a change may say, with messages that name what is allowed. */

const TARGETS_MAX = 200;
const PATTERN_LENGTH_MAX = 255;

type Keys = readonly string[];

/** An object that refuses names it doesn't know, and says which it does. */
export function closed<T extends z.core.$ZodLooseShape>(shape: T, known: Keys = Object.keys(shape)) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `Known here: ${known.join(', ')}.` : undefined),
  });
}

function numberOf(key: (typeof SETTING_KEYS)[number]) {
  const bounds = SETTING_BOUNDS[key];
  const { min, max, unit } = bounds;
  const whole = isWholeUnit(bounds);
  const words = whole ? 'a whole number' : 'a number';
  const of = unit === 'ms' ? ' of milliseconds' : '';
  const error = `${words}${of} from ${min} to ${max}, or null for the default (${DEFAULT_SETTINGS[key]})`;
  const number = z.number({ error }).min(min, { error }).max(max, { error });
  return (whole ? number.int({ error }) : number).nullable();
}

const settings = closed(Object.fromEntries(SETTING_KEYS.map((key) => [key, numberOf(key)]))).partial();

const ruleSets = closed(
  Object.fromEntries(
    PROFILES.map((profile) => {
      const names = editionsOf(profile);
      const error = `one of ${names.join(', ')}, or null for the current edition`;
      return [profile, z.enum(names as [string, ...string[]], { error }).nullable()];
    }),
  ),
).partial();

const profile = z.enum(PROFILES, { error: `one of ${PROFILES.join(', ')}` });

const pattern = z
  .string()
  .trim()
  .min(1)
  .max(PATTERN_LENGTH_MAX)
  // U+FFFD stands for what could not be kept: no name of anything.
  .regex(/^[^\s\p{C}\uFFFD]+$/u, 'a host or platform name without blanks; * stands for any run of characters');

const targets = z
  .array(closed({ pattern, profile }))
  .max(TARGETS_MAX)
  .superRefine((list, ctx) => {
    const seen = new Set<string>();
    list.forEach((row, index) => {
      const key = row.pattern.toLowerCase();
      if (seen.has(key)) {
        ctx.addIssue({ code: 'custom', path: [index, 'pattern'], message: 'The pattern is in the list already.' });
      }
      seen.add(key);
    });
  });

const changeShape = { settings, targets, defaultProfile: profile, ruleSets };

/** A wished change (`SettingsChange`): absent stays, null goes back to the default. */
export const settingsChangeSchema = closed(changeShape).partial();

export const settingsInput = closed({ version: z.int().min(1), ...settingsChangeSchema.shape }, [
  'version',
  ...Object.keys(changeShape),
]);
