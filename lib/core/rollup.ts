import type { Attempt, Kind, Profile } from './attempt';
import type { Action, Verdict } from './verdict';

/**
 * What rates are counted by. One row of the `dimension` table, one key of every rollup.
 * Absent text is '' so that a key never holds null.
 */
export interface Dimension {
  service: string;
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
    call: attempt.call,
    kind,
    code: verdict.action === 'none' ? SUCCESS_CODE : verdict.code,
    action: verdict.action,
    profile,
    target: attempt.target ?? '',
    sdk: formatSdk(attempt.sdk),
    environment: attempt.environment,
  };
}
