import { makeUuidV7 } from '@/lib/client';
import type { AttemptWire, EventWire } from '@/lib/client/wire';
import type { Money, SdkName } from '@/lib/core/attempt';
import type { Caller, Route } from './fleet';
import type { Random } from './random';

/** An event and when its client would have sent it, epoch ms. */
export interface TimedEvent {
  at: number;
  event: EventWire & { id: string };
}

/** How one send went. `lastsMs` runs from its start to its end; the head comes just before the end. */
export interface SendOutcome extends Partial<AttemptWire> {
  lastsMs: number;
  /** What the answer asked to wait, for the plot only: it never becomes part of the event. */
  askedMs?: number | null;
}

/**
 * Writes one hour down, event by event. Everything, ids included, follows from the seeds: the same hour told twice
 * is the same events, so loading it twice adds nothing.
 */
export class Story {
  readonly events: TimedEvent[] = [];
  readonly random: Random;
  readonly hourStart: number;
  #operations = 0;

  constructor(random: Random, hourStart: number) {
    this.random = random;
    this.hourStart = hourStart;
  }

  tell(at: number, event: EventWire, eventTime: number): void {
    const id = makeUuidV7(eventTime, this.random.bytes(10));
    this.events.push({ at: Math.ceil(at), event: { ...event, id } });
  }

  /** A new operation of a caller, its first send at `startedAt`. */
  begin(caller: Caller, route: Route, startedAt: number, facts: OperationDraft = {}): Operation {
    this.#operations += 1;
    const date = new Date(startedAt).toISOString().slice(0, 10).replaceAll('-', '');
    const tail = Math.floor(this.random.next() * 0xffffff).toString(16);
    const operationId = `${caller.service}-${date}-${this.#operations.toString(36)}${tail.padStart(6, '0')}`;
    return new Operation(this, caller, route, operationId, Math.round(startedAt), facts);
  }
}

export interface OperationDraft {
  sdk?: SdkName;
  instance?: number;
  scope?: string;
  amount?: Money;
  businessKey?: string;
  idempotency?: AttemptWire['idempotency'];
  attributes?: Record<string, string>;
  parentOperationId?: string;
}

/** One intent and its sends, told in order. `now` is the client's clock: it moves with every send and wait. */
export class Operation {
  readonly operationId: string;
  readonly sdk: SdkName;
  now: number;
  #attempt = 0;
  #waitedMs: number | undefined;
  readonly #story: Story;
  readonly #common: Omit<AttemptWire, 'attempt' | 'startedAt' | 'type'>;

  constructor(
    story: Story,
    caller: Caller,
    route: Route,
    operationId: string,
    startedAt: number,
    draft: OperationDraft,
  ) {
    const { sdk, instance, scope, ...facts } = draft;
    const { random } = story;
    this.#story = story;
    this.operationId = operationId;
    this.now = startedAt;
    this.sdk = sdk ?? random.weighted(caller.sdks);
    this.#common = {
      operationId,
      service: caller.service,
      instance: `${caller.service}-${instance ?? random.int(1, caller.instances)}`,
      sdk: this.sdk,
      kind: route.kind,
      call: route.call,
      method: route.method,
      target: caller.target,
      profile: caller.profile,
      fingerprint: `f${Math.floor(random.next() * 0xffffffff).toString(16)}`,
      ...(caller.policy && { policy: caller.policy }),
      ...(caller.environment && { environment: caller.environment }),
      ...(scope && { scope }),
      ...facts,
    };
  }

  /** Waits before the next send; the wait is declared as the chosen one. */
  wait(delayMs: number): this {
    this.#waitedMs = Math.round(delayMs);
    this.now += this.#waitedMs;
    return this;
  }

  /** Says that a send is about to leave, and nothing more: what a client that dies leaves behind. */
  announce(): this {
    const { reason, ...common } = this.#common;
    void reason;
    const event = { ...common, type: 'attempt_started' as const, attempt: this.#attempt + 1, startedAt: this.now };
    this.#story.tell(this.now, event, this.now);
    return this;
  }

  /** One send from its start to its end. */
  send(outcome: SendOutcome): this {
    const { lastsMs, askedMs, ...facts } = outcome;
    void askedMs;
    const { random } = this.#story;
    this.#attempt += 1;
    const startedAt = this.now;
    const endedAt = startedAt + Math.max(1, Math.round(lastsMs));
    const answered = facts.status !== undefined;
    const event: AttemptWire = {
      ...this.#common,
      type: 'attempt',
      attempt: this.#attempt,
      startedAt,
      endedAt,
      ...(answered && {
        headersAt: Math.max(startedAt, endedAt - random.int(0, 3)),
        dateHeader: new Date(endedAt).toUTCString(),
        requestId: `req_${Math.floor(random.next() * 0xffffffffff).toString(36)}`,
      }),
      ...(this.#attempt > 1 && { reason: 'retry' as const }),
      ...(this.#waitedMs !== undefined && { plannedDelayMs: this.#waitedMs }),
      ...facts,
    };
    this.#waitedMs = undefined;
    this.now = endedAt;
    this.#story.tell(endedAt, event, startedAt);
    return this;
  }

  /** The client looks whether the write is there. */
  readBack(
    result: 'present' | 'absent' | 'inconclusive',
    options: { afterMs: number; criterion?: 'unique' | 'weak'; entityIds?: string[] },
  ): this {
    this.now += Math.round(options.afterMs);
    const startedAt = this.now;
    this.now += this.#story.random.latencyMs(240);
    const event = {
      type: 'readback' as const,
      operationId: this.operationId,
      startedAt,
      endedAt: this.now,
      result,
      criterion: options.criterion ?? ('unique' as const),
      ...(options.entityIds && { entityIds: options.entityIds }),
      ...(result === 'absent' && { exhausted: true }),
    };
    this.#story.tell(this.now, event, startedAt);
    return this;
  }

  /** Any other fact of this operation, known now. */
  say(event: EventWire): this {
    this.#story.tell(this.now, event, this.now);
    return this;
  }
}
