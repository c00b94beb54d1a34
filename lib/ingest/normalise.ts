import type { BatchItem, CauseFixed, Fact, Tally } from '@/lib/core/attempt';
import type { Cleaner } from './clean';
import { kindOf, normaliseAttempt, normaliseStarted } from './normalise-attempt';
import type { BatchItemWire, EventWire } from './schema';

type WireOf<Type extends EventWire['type']> = Extract<EventWire, { type: Type }>;

const MINUTE_MS = 60_000;

/** A fact without an id has '' there: the caller derives one. */
export interface Normalised {
  fact: Fact;
  /** Lines of an expanded batch call; the carrying attempt is then none itself. */
  items: BatchItem[] | null;
}

function base(wire: EventWire, clean: Cleaner): { id: string; environment: string } {
  return { id: wire.id ?? '', environment: wire.environment ? clean.name(wire.environment) : 'production' };
}

function entityIdsOf(ids: string[] | null | undefined, clean: Cleaner): { entityIds?: string[] } {
  return ids ? { entityIds: ids.map((id) => clean.name(id)) } : {};
}

function causeFixed(wire: WireOf<'cause_fixed'>, clean: Cleaner): CauseFixed {
  const fact: CauseFixed = { type: 'cause_fixed', ...base(wire, clean), startedAt: wire.startedAt };
  if (wire.operationId) fact.operationId = clean.name(wire.operationId);
  if (wire.code) fact.code = clean.name(wire.code);
  if (wire.service) fact.service = clean.name(wire.service);
  return fact;
}

function tally(wire: WireOf<'tally'>, clean: Cleaner): Tally {
  const fact: Tally = {
    type: 'tally',
    ...base(wire, clean),
    service: clean.name(wire.service),
    call: clean.name(wire.call),
    minute: Math.floor(wire.minute / MINUTE_MS) * MINUTE_MS,
    successes: wire.successes,
  };
  const kind = kindOf(wire.kind);
  if (kind) fact.kind = kind;
  if (wire.instance) fact.instance = clean.name(wire.instance);
  if (wire.target) fact.target = clean.name(wire.target);
  if (wire.profile) fact.profile = wire.profile;
  return fact;
}

export function itemOf(wire: BatchItemWire, clean: Cleaner): BatchItem {
  const item: BatchItem = { item: clean.name(String(wire.item)) };
  const kind = kindOf(wire.kind);
  if (kind) item.kind = kind;
  if (wire.call) item.call = clean.name(wire.call);
  if (wire.status) item.status = wire.status;
  if (wire.code) item.code = clean.name(wire.code);
  if (wire.operationId) item.operationId = clean.name(wire.operationId);
  if (wire.notRun) item.notRun = true;
  return item;
}

function operationOf(wire: { operationId?: string | null }, clean: Cleaner): { operationId?: string } {
  return wire.operationId ? { operationId: clean.name(wire.operationId) } : {};
}

function otherFact(wire: Exclude<EventWire, { type: 'attempt' }>, clean: Cleaner): Fact {
  switch (wire.type) {
    case 'attempt_started':
      return normaliseStarted(wire, clean);
    case 'readback': {
      const { type, startedAt, endedAt, result, criterion } = wire;
      return {
        type,
        ...base(wire, clean),
        operationId: clean.name(wire.operationId),
        startedAt,
        endedAt,
        result,
        criterion,
        ...entityIdsOf(wire.entityIds, clean),
        ...(typeof wire.oldestSeen === 'number' ? { oldestSeen: wire.oldestSeen } : {}),
        ...(typeof wire.exhausted === 'boolean' ? { exhausted: wire.exhausted } : {}),
      };
    }
    case 'auth_refresh': {
      const credential = clean.credential(wire.credential);
      const { type, startedAt, ok } = wire;
      return { type, ...base(wire, clean), ...operationOf(wire, clean), credential, startedAt, ok };
    }
    case 'cause_fixed':
      return causeFixed(wire, clean);
    case 'job_result': {
      const { type, startedAt, result } = wire;
      const operationId = clean.name(wire.operationId);
      const code = wire.code ? { code: clean.name(wire.code) } : {};
      return { type, ...base(wire, clean), operationId, jobId: clean.name(wire.jobId), result, ...code, startedAt };
    }
    case 'closed': {
      const { type, startedAt, result } = wire;
      const operationId = clean.name(wire.operationId);
      return { type, ...base(wire, clean), operationId, startedAt, result, ...entityIdsOf(wire.entityIds, clean) };
    }
    case 'webhook_delivery': {
      const { type, startedAt, status } = wire;
      const names = { jobId: clean.name(wire.jobId), event: clean.name(wire.event) };
      return { type, ...base(wire, clean), ...operationOf(wire, clean), ...names, startedAt, status };
    }
    case 'tally':
      return tally(wire, clean);
  }
}

/** The fact a valid event states: names tidied, texts cleaned and masked, secrets hashed. */
export function normaliseEvent(wire: EventWire, clean: Cleaner): Normalised {
  if (wire.type !== 'attempt') return { fact: otherFact(wire, clean), items: null };
  const items = wire.items ? wire.items.map((item) => itemOf(item, clean)) : null;
  return { fact: normaliseAttempt(wire, clean), items };
}
