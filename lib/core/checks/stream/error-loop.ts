import type { CauseFixed } from '../../attempt';
import type { Settings } from '../../operation';
import {
  byStartAt,
  groupSends,
  operationIdsOf,
  scopeKeyOf,
  type StreamCheck,
  type StreamHit,
  type StreamInput,
  type StreamSend,
} from './stream';

/**
 * M14: the same failure of one scope again and again. `forming`: so many equal ones in a short time without a success,
 * by request, or by call where ids in the body differ. `announced`: the platform warned. `open`: ERROR_LOOP_DETECTED.
 * `feeding`: each further send of that request before a fix or a success. Told once per loop, feeding per send.
 */

type Stage = 'forming' | 'announced' | 'open' | 'feeding';

const OPEN_RULE = 'ERROR_LOOP_DETECTED';

interface Loop {
  failures: StreamSend[];
  forming: boolean;
}

/** What is open, by request where it names itself, else by call; the latest detection is its opener. */
interface OpenLoop {
  opener: StreamSend;
  code: string;
}

function hitOf(
  send: StreamSend,
  stage: Stage,
  evidence: Record<string, unknown>,
  involved: readonly StreamSend[],
): StreamHit {
  return {
    check: 'error_loop',
    severity: stage === 'feeding' ? 'high' : 'medium',
    attempt: send.attempt,
    operationId: send.operationId,
    subject: { kind: 'scope', value: scopeKeyOf(send) ?? send.service },
    at: send.startAt,
    evidence: { stage, code: send.code, ...evidence, operationIds: operationIdsOf([...involved, send]) },
  };
}

function callKey({ method, call }: StreamSend): string {
  return `${method} ${call}`;
}

/** The state of one scope while time goes on. */
class ScopeLoops {
  private readonly loops = new Map<string, Map<string, Loop>>();
  private readonly open = new Map<string, OpenLoop>();
  /** Start of the latest warning, by key. */
  private readonly announced = new Map<string, number>();

  constructor(
    private readonly settings: Settings,
    private readonly fixes: readonly CauseFixed[],
    private readonly heldMs: number,
  ) {}

  take(send: StreamSend): StreamHit[] {
    const keys = send.fingerprint === undefined ? [callKey(send)] : [`#${send.fingerprint}`, callKey(send)];
    // A probe that gets through proves the repair.
    if (send.action === 'none') {
      for (const key of keys) this.close(key);
      return [];
    }
    const hits = this.feed(send, keys);
    if (send.action === 'not_applicable') return hits;
    if (send.warned) {
      const known = keys.some((key) => {
        const at = this.announced.get(key);
        return at !== undefined && send.startAt - at <= this.heldMs;
      });
      this.announced.set(keys[0] ?? '', send.startAt);
      if (!known) hits.push(hitOf(send, 'announced', {}, []));
    }
    hits.push(...this.form(send, keys));
    return hits;
  }

  private close(key: string): void {
    this.loops.delete(key);
    this.open.delete(key);
    this.announced.delete(key);
  }

  private isFixed({ opener, code }: OpenLoop, send: StreamSend): boolean {
    return this.fixes.some((fix) => {
      if (fix.startedAt < opener.startAt || fix.startedAt > send.startAt) return false;
      if (fix.service !== undefined && fix.service !== opener.service) return false;
      if (fix.operationId !== undefined) return [opener.operationId, send.operationId].includes(fix.operationId);
      return fix.code === OPEN_RULE || fix.code === code;
    });
  }

  /** Opens, or feeds what is open. */
  private feed(send: StreamSend, keys: readonly string[]): StreamHit[] {
    const key = keys[0] ?? '';
    const open = this.open.get(key);
    const stale = open !== undefined && send.startAt - open.opener.startAt > this.heldMs;
    if (open && (stale || this.isFixed(open, send))) this.close(key);
    else if (open) {
      if (send.rule === OPEN_RULE) this.open.set(key, { opener: send, code: send.code });
      const evidence = { sinceMs: send.startAt - open.opener.startAt, openedBy: open.opener.operationId };
      return [hitOf(send, 'feeding', evidence, [open.opener])];
    }
    if (send.rule !== OPEN_RULE) return [];
    this.open.set(key, { opener: send, code: send.code });
    return [hitOf(send, 'open', {}, [])];
  }

  private form(send: StreamSend, keys: readonly string[]): StreamHit[] {
    let told = false;
    return keys.flatMap((key) => {
      const codes = this.loops.get(key) ?? new Map<string, Loop>();
      this.loops.set(key, codes);
      const known = codes.get(send.code);
      const failures = (known?.failures ?? []).filter(
        ({ startAt }) => send.startAt - startAt <= this.settings.errorLoopWindowMs,
      );
      // Only so many are kept as are needed to tell.
      const kept = [...failures, send].slice(-this.settings.errorLoopMinCount);
      const forming = kept.length >= this.settings.errorLoopMinCount;
      const news = forming && known?.forming !== true;
      codes.set(send.code, { failures: kept, forming });
      if (!news || told) {
        told ||= forming;
        return [];
      }
      told = true;
      const spanMs = send.startAt - (kept[0]?.startAt ?? send.startAt);
      const by = key.startsWith('#') ? 'request' : 'call';
      return [hitOf(send, 'forming', { count: kept.length, spanMs, by }, kept)];
    });
  }
}

export const findErrorLoop: StreamCheck = {
  check: 'error_loop',
  groupBy: 'scope',
  lookBackMs: (settings) => settings.errorLoopWindowMs,
  lookAheadMs: () => 0,
  find({ sends, facts, settings, heldMs = Infinity }: StreamInput) {
    const scopes = groupSends([...sends].sort(byStartAt), (send) => scopeKeyOf(send) ?? send.service);
    return [...scopes.values()].flatMap((group) => {
      const loops = new ScopeLoops(settings, facts.fixes, heldMs);
      return group.flatMap((send) => loops.take(send));
    });
  },
};
