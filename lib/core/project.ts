import type { Profile } from './attempt';
import type { Settings } from './operation';

declare const authorized: unique symbol;

/** Which profile an attempt without its own follows: the first matching target pattern, else the default. */
export interface ProfileRules {
  defaultProfile: Profile;
  /** `pattern` is a host or `*.host`; compared without letter case. */
  targets: { pattern: string; profile: Profile }[];
}

/** Name of the edition that a project pinned, by profile; a profile without one follows its current edition. */
export type PinnedNames = Partial<Record<Profile, string>>;

/**
 * A project somebody was let into. Only `lib/auth/authorize.ts` makes one, and every query takes one first:
 * that is the wall between projects.
 */
export interface AuthorizedProject {
  readonly [authorized]: true;
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly settings: Settings;
  readonly profiles: ProfileRules;
  readonly ruleSets: PinnedNames;
}

/** Who acts. `key` works under the key's name, `system` is a job of our own. */
export interface Actor {
  type: 'user' | 'key' | 'system';
  id: string;
  name: string;
}
