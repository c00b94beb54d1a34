import { prefersStrict } from '@/lib/http/content';
import { problemResponse } from '@/lib/http/problem-response';
import { jsonResponse, type PlainRequest, type PlainResponse } from '@/lib/http/request';
import { problemKind, type ProblemCode, type ProblemItem } from '@/lib/platform/problem';
import { BATCH_REFUSED, type RejectedCounts } from './count-outcomes';
import { refuseTimes, timeWindow } from './event-time';
import type { Outcome } from './group-commit';
import { prepareEvent } from './prepare';
import { readEvents, type ReadEvents, type ReadFact } from './read-events';
import type { IngestDeps, Taken } from './request-context';

/** The lists that a 202 and a 422 share. */
interface EventsAnswer {
  accepted: number;
  duplicates: number;
  conflicts: number[];
  rejected: ProblemItem[];
  sanitized: number;
  ignoredFields: number;
  redacted: number;
}

/** The items' common code, else `validation_failed`. */
function commonCode(rejected: readonly ProblemItem[]): ProblemCode {
  const codes = new Set(rejected.map(({ code }) => code));
  const [only] = codes;
  const speaks = codes.size === 1 && only !== undefined && problemKind(only).status === 422;
  return speaks ? only : 'validation_failed';
}

function refuseAll(request: PlainRequest, answer: EventsAnswer): PlainResponse {
  const { rejected } = answer;
  return problemResponse(commonCode(rejected), {
    requestId: request.requestId,
    detail: 'No event of the request was stored.',
    errors: rejected,
    extra: { ...answer },
  });
}

function answerOf(
  read: ReadEvents,
  facts: readonly ReadFact[],
  fates: Extract<Outcome, { ok: true }>['fates'],
): EventsAnswer {
  const conflicts = new Set<number>();
  const quarantined = new Map<number, ProblemItem>();
  let accepted = 0;
  let duplicates = 0;
  fates.forEach((fate, place) => {
    const { index = 0, trace } = facts[place] ?? {};
    // A batch is answered for by its items.
    if (trace) return;
    if (fate === 'accepted') accepted += 1;
    else if (fate === 'quarantined') {
      const { title } = problemKind('event_quarantined');
      quarantined.set(place, { index, pointer: '', code: 'event_quarantined', detail: title });
    } else {
      duplicates += 1;
      if (fate === 'conflict') conflicts.add(index);
    }
  });
  const { sanitized, ignoredFields, redacted } = read;
  const rejected = [...read.rejected, ...quarantined.values()].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return { accepted, duplicates, conflicts: [...conflicts], rejected, sanitized, ignoredFields, redacted };
}

const NONE: RejectedCounts = new Map();

/** What is refused, counted by code; of a strict batch the good events too. */
function countRejected({ rejected, facts }: ReadEvents, strict: boolean): RejectedCounts {
  if (rejected.length === 0) return NONE;
  const counts = new Map<string, number>();
  for (const { code } of rejected) counts.set(code, (counts.get(code) ?? 0) + 1);
  const good = strict ? facts.filter(({ trace }) => !trace).length : 0;
  if (good > 0) counts.set(BATCH_REFUSED, good);
  return counts;
}

/** `POST /api/v1/events`: answers 202 only after everything accepted is durable. */
export async function handleEvents(request: PlainRequest, taken: Taken, deps: IngestDeps): Promise<PlainResponse> {
  const { project, hashSecret, keptFrom } = taken.key;
  const now = deps.clock();
  const window = timeWindow(now, project.settings, keptFrom);
  const read = readEvents(taken.body.events, {
    hashSecret,
    profiles: project.profiles,
    judge: (fact, index) => refuseTimes(fact, window, index),
  });
  const strict = read.rejected.length > 0 && prefersStrict(request.headerValues('prefer'));
  const nothing = answerOf(read, [], []);
  if (read.facts.length === 0 && read.rejected.length === 0) return jsonResponse(202, nothing);
  const kept = strict ? [] : read.facts;
  const events = kept.map((fact) => prepareEvent(fact, project));
  const rejected = countRejected(read, strict);
  const outcome = await deps.commit.submit({ project, events, rejected, receivedAt: now, waitedMs: taken.waitedMs });
  if (!outcome.ok) {
    const { code, retryAfterSeconds } = outcome;
    return problemResponse(code, { requestId: request.requestId, retryAfterSeconds });
  }
  if (kept.length === 0) return refuseAll(request, nothing);
  const answer = answerOf(read, read.facts, outcome.fates);
  deps.limits.note(taken.key, answer.accepted);
  return answer.accepted + answer.duplicates === 0 ? refuseAll(request, answer) : jsonResponse(202, answer);
}
