import type { Settings } from '../../operation';
import { groupSends, operationIdsOf, type StreamCheck, type StreamHit, type StreamSend } from './stream';

/**
 * M10: many instances retry one target in the same quarter of a second. Herd: at least ten instances, and five times
 * as many retries as a bin of the half minute after it holds on average. Low traffic never gets there. Where the
 * instances' clocks disagree, receive times in wider bins are used. A shared Retry-After makes a legitimate wave.
 */

function isRetry({ attempt, previous, reason }: StreamSend): boolean {
  const again = previous !== null || attempt > 1;
  return again && reason !== 'redirect' && reason !== 'reauth' && reason !== 'hedge';
}

/** Least delay between a send's end and its arrival, per clock: clocks that agree differ little in it. */
function clocksDisagree(sends: readonly StreamSend[], allowanceMs: number): boolean {
  const offsets = new Map<string, number>();
  for (const { clock, endAt, receivedAt } of sends) {
    if (receivedAt === undefined) return false;
    offsets.set(clock, Math.min(offsets.get(clock) ?? Infinity, receivedAt - endAt));
  }
  let least = Infinity;
  let most = -Infinity;
  for (const offset of offsets.values()) {
    least = Math.min(least, offset);
    most = Math.max(most, offset);
  }
  return most - least > allowanceMs;
}

function keptAskedWait({ previous, startAt }: StreamSend, toleranceMs: number): boolean {
  return previous !== null && previous.askedMs !== null && startAt - previous.refAt >= previous.askedMs - toleranceMs;
}

interface Binning {
  binMs: number;
  byReceiveTime: boolean;
  /** Numbers of bins that make up the time a herd is compared with. */
  after: number;
}

function judge(
  target: string,
  bin: number,
  retries: readonly StreamSend[],
  meanAfter: number,
  { binMs, byReceiveTime }: Binning,
  settings: Settings,
): StreamHit | null {
  const instances = new Set(retries.map(({ clock }) => clock)).size;
  if (instances < settings.herdInstancesMinCount || retries.length < settings.herdFactor * meanAfter) return null;
  const kept = retries.filter((send) => keptAskedWait(send, settings.toleranceSecondsMs)).length;
  return {
    check: 'synchronised_retries',
    severity: 'low',
    subject: { kind: 'target', value: target },
    at: bin * binMs,
    evidence: {
      retries: retries.length,
      instances,
      binMs,
      meanAfter,
      raWave: kept * 2 >= retries.length,
      byReceiveTime,
      operationIds: operationIdsOf(retries),
    },
  };
}

function findAtTarget(target: string, sends: readonly StreamSend[], settings: Settings): StreamHit[] {
  const retries = sends.filter(isRetry);
  if (retries.length < settings.herdInstancesMinCount) return [];
  const byReceiveTime = clocksDisagree(retries, settings.dateUncertaintyMs);
  const binMs = byReceiveTime ? settings.herdReceiveBinMs : settings.herdBinMs;
  const binning = { binMs, byReceiveTime, after: Math.max(1, Math.round(settings.herdBaselineMs / binMs)) };
  const bins = new Map<number, StreamSend[]>();
  for (const send of retries) {
    const at = byReceiveTime && send.receivedAt !== undefined ? send.receivedAt : send.startAt;
    const bin = Math.floor(at / binMs);
    const known = bins.get(bin);
    if (known) known.push(send);
    else bins.set(bin, [send]);
  }
  const numbers = [...bins.keys()].sort((a, b) => a - b);
  let sum = 0;
  let ahead = 0;
  return numbers.flatMap((bin) => {
    // The sum slides: it takes in bins up to the end of the time compared with, and leaves each as it is judged.
    for (
      let number = numbers[ahead];
      number !== undefined && number <= bin + binning.after;
      number = numbers[++ahead]
    ) {
      sum += bins.get(number)?.length ?? 0;
    }
    const own = bins.get(bin) ?? [];
    sum -= own.length;
    return judge(target, bin, own, sum / binning.after, binning, settings) ?? [];
  });
}

/** Who is called; where nobody says so, what is called. */
function targetOf({ target, scope, call }: StreamSend): string {
  return target ?? scope ?? call;
}

export const findSynchronisedRetries: StreamCheck = {
  check: 'synchronised_retries',
  groupBy: 'target',
  // A bin that began before the window is the window's before.
  lookBackMs: (settings) => Math.max(settings.herdBinMs, settings.herdReceiveBinMs),
  lookAheadMs: (settings) => settings.herdBaselineMs + Math.max(settings.herdBinMs, settings.herdReceiveBinMs),
  find({ sends, settings }) {
    return [...groupSends(sends, targetOf)].flatMap(([target, group]) => findAtTarget(target, group, settings));
  },
};
