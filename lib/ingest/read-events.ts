import type { Attempt, Fact } from '@/lib/core/attempt';
import { expandItems, traceOfBatch } from '@/lib/core/expand-items';
import type { ProfileRules } from '@/lib/core/project';
import type { ProblemItem } from '@/lib/platform/problem';
import { createCleaner, type Cleaner } from './clean';
import type { RawEvent } from './decode-json';
import { deriveId, deriveItemId, deriveTraceId } from './derive-id';
import { normaliseEvent } from './normalise';
import { validateEvent } from './validate';

/** One fact of a body; several have the same `index` when an attempt was expanded, each with its `item`. */
export interface ReadFact {
  index: number;
  fact: Fact;
  /** Name of the batch item, absent on everything else. */
  item?: string;
  /** Made by us beside a batch call's items: stored, and counted in no answer. */
  trace?: true;
}

export interface ReadEvents {
  facts: ReadFact[];
  rejected: ProblemItem[];
  sanitized: number;
  redacted: number;
  ignoredFields: number;
}

export interface ReadContext {
  hashSecret: Uint8Array;
  profiles: ProfileRules;
  /** Refuses a fact that is well-formed; null lets it pass. */
  judge?: (fact: Fact, index: number) => ProblemItem | null;
}

/** The carrying attempt has no id of its own once it is expanded: items and its trace get theirs from it. */
function expand(
  attempt: Attempt,
  items: Parameters<typeof expandItems>[1],
  context: ReadContext,
  index: number,
): ReadFact[] {
  const idOf = ({ item }: { item: string }): string => deriveItemId(attempt.id, item, attempt.startedAt);
  const expanded = expandItems(attempt, items, idOf, context.profiles);
  if (expanded[0] === attempt) return [{ index, fact: attempt }];
  const trace = traceOfBatch(attempt, deriveTraceId(attempt.id, attempt.startedAt));
  return [
    ...expanded.map((fact): ReadFact => ({ index, fact, item: fact.batch?.item })),
    { index, fact: trace, trace: true },
  ];
}

function readEvent(raw: RawEvent, context: ReadContext, clean: Cleaner, into: ReadEvents): void {
  if ('error' in raw) {
    into.rejected.push(raw.error);
    return;
  }
  const { index } = raw;
  const valid = validateEvent(raw.value, index);
  if (!valid.ok) {
    into.rejected.push(valid.item);
    return;
  }
  into.ignoredFields += valid.value.ignoredFields;
  const { fact, items } = normaliseEvent(valid.value.wire, clean);
  const refused = context.judge?.(fact, index);
  if (refused) {
    into.rejected.push(refused);
    return;
  }
  if (fact.id === '') fact.id = deriveId(fact);
  if (fact.type === 'attempt' && items) into.facts.push(...expand(fact, items, context, index));
  else into.facts.push({ index, fact });
}

/** Validates, cleans, masks and expands the events of a body; good ones don't suffer for bad ones. */
export function readEvents(raws: readonly RawEvent[], context: ReadContext): ReadEvents {
  const clean = createCleaner(context.hashSecret);
  const into: ReadEvents = { facts: [], rejected: [], sanitized: 0, redacted: 0, ignoredFields: 0 };
  for (const raw of raws) readEvent(raw, context, clean, into);
  return { ...into, ...clean.counts() };
}
