import type { ReviewItem } from '@/db/queries/review';
import { mergeFacts } from '@/db/queries/settle';
import type { SettleProject } from '@/db/queries/settle-project';
import type { Fact } from '@/lib/core/attempt';
import { foldOperation } from '@/lib/core/fold';
import { pinRuleSets } from '@/lib/core/rules/index';
import { decideReview, findJudgement, type ReviewChange } from './settle-review';
import { prepareRows, type SettledRows } from './settle-rows';

export interface ConcludeInput {
  operationId: string;
  facts: readonly Fact[];
  counted: ReadonlyMap<string, bigint>;
  /** Every episode of the operation, oldest first. */
  items: readonly ReviewItem[];
  project: SettleProject;
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
  /** When an operation without a row has to be looked at again, epoch ms. */
  wakeAt: number | null;
}

/** One operation from its facts to the rows and the review change they ask for. Pure but for `makeId`. */
export function concludeOperation(input: ConcludeInput): Concluded {
  const { operationId, items, project, now } = input;
  const ruleSets = pinRuleSets(project.ruleSets);
  // Items keep their facts beyond retention; what the tables hold comes last and wins.
  const facts = mergeFacts(...items.map((item) => item.facts.facts), input.facts);
  const conclusion = foldOperation(
    { operationId, facts, resolution: findJudgement(items) },
    { asOf: now, settings: project.settings, profiles: project.profiles, ruleSets },
  );
  const rows = prepareRows(conclusion, facts, input.counted, now);
  const latest = items.at(-1);
  const operationDimension = rows?.operation.dimensionId ?? (conclusion.itemsOnly ? latest?.dimensionId : undefined);
  const review =
    operationDimension === undefined
      ? null
      : decideReview({
          conclusion,
          facts,
          items,
          dimensionOf: rows?.dimensionOf ?? new Map<string, string>(),
          operationDimension,
          settings: project.settings,
          ruleSets,
          now,
          makeId: input.makeId,
        });
  const wakeAt = rows || conclusion.changesAt === null ? null : Math.max(conclusion.changesAt, now + 1_000);
  return { operationId, rows, review, gone: conclusion.itemsOnly, wakeAt };
}
