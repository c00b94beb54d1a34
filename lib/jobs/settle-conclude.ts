import type { ReviewItem } from '@/db/queries/review';
import { mergeFacts } from '@/db/queries/settle';
import type { SettleProject } from '@/db/queries/settle-project';
import type { Fact } from '@/lib/core/attempt';
import { foldOperation } from '@/lib/core/fold';
import { keyUsesOf, type KeyUse } from '@/lib/core/key-use';
import type { OperationConclusion } from '@/lib/core/operation';
import { findRepairChances, type RepairChance } from '@/lib/core/repair-chance';
import { placesOf, type StreamPlaces } from '@/lib/core/stream-places';
import { pinRuleSets } from '@/lib/core/rules/index';
import { decideReview, findJudgement, type ReviewChange } from './settle-review';
import { prepareRows, type SettledRows } from './settle-rows';

export interface ConcludeInput {
  operationId: string;
  facts: readonly Fact[];
  /** Renewals and fixes that bear on it without being its own. */
  shared?: readonly Fact[];
  /** Uses of its keys by others; what its items keep of them is added. */
  elsewhere?: readonly KeyUse[];
  counted: ReadonlyMap<string, bigint>;
  /** Every episode of the operation, oldest first. */
  items: readonly ReviewItem[];
  project: Pick<SettleProject, 'settings' | 'profiles' | 'ruleSets'>;
  now: number;
  makeId: () => string;
}

export interface Concluded {
  operationId: string;
  /** Null while the operation has no send. */
  rows: SettledRows | null;
  review: ReviewChange | null;
  /** It is no operation: a batch call whose items came after its client had been given up for dead. */
  gone: boolean;
  /** What could have repaired a failure between two of its sends. */
  chances: RepairChance[];
  /** Where it meets other operations. */
  places: StreamPlaces;
  /** Start of every send, and whether it can have changed data. */
  sends: { at: number; effect: boolean }[];
  /** When an operation without a row has to be looked at again, epoch ms. */
  wakeAt: number | null;
}

export interface Drawn {
  /** What the tables hold and what the items keep, once each. */
  facts: Fact[];
  conclusion: OperationConclusion;
  /** What the items have to become; of the operation's dimensions they know what is given. */
  review: (dimensions: Pick<SettledRows, 'dimensionOf'> & { operationDimension: string }) => ReviewChange | null;
}

/** The conclusion from an operation's facts under a project's rules, and what it asks of its items. Pure. */
export function drawConclusion(input: Omit<ConcludeInput, 'counted'>): Drawn {
  const { operationId, items, project, now, makeId } = input;
  const { settings, profiles } = project;
  const ruleSets = pinRuleSets(project.ruleSets);
  // Items keep their facts beyond retention; what the tables hold comes last and wins.
  const facts = mergeFacts(...items.map((item) => item.facts.facts), input.facts);
  const elsewhere = [...items.flatMap((item) => item.facts.keyUses ?? []), ...(input.elsewhere ?? [])];
  const conclusion = foldOperation(
    { operationId, facts: mergeFacts(input.shared ?? [], facts), resolution: findJudgement(items), elsewhere },
    { asOf: now, settings, profiles, ruleSets },
  );
  const given = { conclusion, facts, items, settings, ruleSets, now, makeId };
  return { facts, conclusion, review: (dimensions) => decideReview({ ...given, ...dimensions }) };
}

/** One operation from its facts to the rows and the review change they ask for. Pure but for `makeId`. */
export function concludeOperation(input: ConcludeInput): Concluded {
  const { operationId, now } = input;
  const { facts, conclusion, review } = drawConclusion(input);
  const keys = { uses: keyUsesOf(facts), spoilt: conclusion.spoiltKeys };
  const rows = prepareRows(conclusion, facts, input.counted, now);
  const operationDimension =
    rows?.operation.dimensionId ?? (conclusion.itemsOnly ? input.items.at(-1)?.dimensionId : undefined);
  const dimensionOf = rows?.dimensionOf ?? new Map<string, string>();
  const wakeAt = rows || conclusion.changesAt === null ? null : Math.max(conclusion.changesAt, now + 1_000);
  return {
    operationId,
    rows,
    review: operationDimension === undefined ? null : review({ dimensionOf, operationDimension }),
    chances: findRepairChances(conclusion.attempts),
    places: placesOf(conclusion.attempts, keys),
    gone: conclusion.itemsOnly,
    sends: conclusion.attempts.map(({ attempt, verdict }) => ({
      at: Math.floor(attempt.startedAt),
      effect: verdict.effect === 'possible' || verdict.effect === 'applied',
    })),
    wakeAt,
  };
}
