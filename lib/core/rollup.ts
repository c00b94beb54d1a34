import type { Attempt, Kind, Profile } from './attempt';
import { templateCall } from './call-template';
import type { Action, Verdict } from './verdict';

/**
 * What rates are counted by. One row of the `dimension` table, one key of every rollup.
 * Absent text is '' so that a key never holds null.
 */
export interface Dimension {
  service: string;
  /** The template of what was sent (call-template.ts): ids in paths would make a row an event. */
  call: string;
  kind: Kind;
  /** The verdict's code, or `OK` for a success. */
  code: string;
  action: Action;
  profile: Profile;
  target: string;
  /** `name@version`, or `name`, or ''. */
  sdk: string;
  environment: string;
}

/** Key that every success is counted under. */
export const SUCCESS_CODE = 'OK';

/** Lengths of rollup buckets in minutes. Every zone's offset is a multiple of 15, so any day can be cut from them. */
export const GRAINS = [1, 15, 60] as const;

/**
 * Lengths that rollups also keep summed over `call`, `target` and `sdk`, the three columns with many values: a view that
 * asks for none of them reads as many rows as it has services and codes. Such a row's `grain` is the negative length.
 */
export const NARROW_GRAINS = [15, 60] as const;

const MINUTE_MS = 60_000;

/** @returns start of the bucket of `grain` minutes that holds `at`, both epoch ms */
export function bucketStart(at: number, grain: number): number {
  return Math.floor(at / (grain * MINUTE_MS)) * grain * MINUTE_MS;
}

/** What a dimension's narrow rows are counted under. An event always names its call, so this is no event's own. */
export function narrowDimension(dimension: Dimension): Dimension {
  return { ...dimension, call: '', target: '', sdk: '' };
}

/** @returns `name@version`, `name` or '' — the form used in filters and group keys. */
export function formatSdk(sdk: Attempt['sdk']): string {
  if (!sdk) return '';
  return sdk.version ? `${sdk.name}@${sdk.version}` : sdk.name;
}

/** The dimension one judged attempt counts under. `kind` and `profile` are the resolved ones. */
export function dimensionOf(
  attempt: Pick<Attempt, 'service' | 'call' | 'target' | 'sdk' | 'environment'>,
  verdict: Pick<Verdict, 'action' | 'code'>,
  kind: Kind,
  profile: Profile,
): Dimension {
  return {
    service: attempt.service,
    call: templateCall(attempt.call),
    kind,
    code: verdict.action === 'none' ? SUCCESS_CODE : verdict.code,
    action: verdict.action,
    profile,
    target: attempt.target ?? '',
    sdk: formatSdk(attempt.sdk),
    environment: attempt.environment,
  };
}
