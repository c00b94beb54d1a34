import type { CheckName } from '@/lib/core/check-name';
import type { OperationState, Severity } from '@/lib/core/operation';
import type { Flag } from '@/lib/core/verdict';
import type { Kit, ServerName } from './kit';

/** A fault that one client can show, and the same client without it before the same server. */

export type RunName = `${string}-${'flawed' | 'sound'}`;

/** A finding as the API must give it. Evidence may hold vitest's asymmetric matchers. */
export interface ExpectedFinding {
  /** The part given to `kit.operation`; null where no operation is charged. */
  operation?: string | null;
  attempt?: number;
  severity?: Severity;
  evidence: Record<string, unknown>;
}

interface Runs {
  /** The fault in words, unique. */
  title: string;
  client: 'fetch' | 'axios' | 'got';
  server?: ServerName;
  flawed(kit: Kit): Promise<void>;
  sound(kit: Kit): Promise<void>;
  /** Checks that the sound run shows all the same, with the reason in a comment. */
  soundShows?: readonly CheckName[];
}

export interface CheckScenario extends Runs {
  check: CheckName;
  /** Every finding of the check in the flawed run, by operation and attempt. */
  found: readonly ExpectedFinding[];
  /** Other checks that this fault sets off too, all of them. */
  also?: readonly CheckName[];
  /** State of the flawed run's operation `op`. */
  state?: OperationState;
}

export interface FlagScenario extends Runs {
  flag: Flag;
  /** Attempts of operation `op` that carry the flag. */
  attempts: readonly number[];
}

export function nameRun(scenario: CheckScenario | FlagScenario, variant: 'flawed' | 'sound'): RunName {
  const slug = scenario.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${slug}-${variant}`;
}
