import type { CheckName } from '@/lib/core/check-name';
import { BATCHES } from './batches';
import type { CheckScenario } from './check-scenario';
import { CREDENTIALS } from './credentials';
import { KEYS } from './keys';
import { LAYERS } from './layers';
import { LIMITS } from './limits';
import { PACING } from './pacing';
import { PLATFORM } from './platform';
import { PLATFORM_ANSWERS } from './platform-answers';
import { RESTARTS } from './restarts';
import { REVEALED } from './revealed';
import { WAITING } from './waiting';
import { WRITES } from './writes';

/** Every fault the lab shows, by topic. docs/lab.md holds the same list for people. */
export const CHECK_SCENARIOS: readonly CheckScenario[] = [
  ...WRITES,
  ...REVEALED,
  ...RESTARTS,
  ...WAITING,
  ...PACING,
  ...LIMITS,
  ...LAYERS,
  ...KEYS,
  ...BATCHES,
  ...CREDENTIALS,
  ...PLATFORM,
  ...PLATFORM_ANSWERS,
];

/** Checks that no single client can show, and why. */
export const NOT_BY_ONE_CLIENT: Partial<Record<CheckName, string>> = {
  synchronised_retries: 'A herd is ten instances or more that retry one target in the same moment.',
};
