import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { wireAttempt } from '@/test/factories/wire-event';

/** Bodies of test/cases/data/bad-inputs.json: placeholders and named generators. */

export interface BodySpec {
  text?: string;
  json?: unknown;
  b64?: string;
  base_event_with?: Record<string, string>;
  gen?: string;
  args?: Record<string, number | string>;
}

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, d: DAY_MS };

/** `$NOW`, `$NOW+9m`, `$NOW-31d` */
function instants(text: string): string {
  return text.replace(/\$NOW(?:([+-])(\d+)([md]))?/g, (_whole, sign?: string, count?: string, unit?: string) => {
    const shift = sign && count && unit ? Number(`${sign}${count}`) * (UNITS[unit] ?? 0) : 0;
    return new Date(Date.now() + shift).toISOString();
  });
}

function fillText(text: string): string {
  return instants(text)
    .replace(/\$LINE/g, () => JSON.stringify(wireAttempt()))
    .replace(/\$UUID2?/g, () => randomUUID());
}

function fillJson(value: unknown, sameId: string): unknown {
  if (value === '$EVENT' || value === '$EVENT2') return wireAttempt();
  if (value === '$EVENT_SAME_ID_OTHER_DAY')
    return wireAttempt({ id: sameId, startedAt: new Date(Date.now() - DAY_MS).toISOString() });
  if (Array.isArray(value)) return value.map((inner) => fillJson(inner, sameId));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillJson(inner, sameId)]));
  return value;
}

/** One valid event with members replaced by raw JSON text. */
function eventWith(members: Record<string, string>, ownKey = ''): string {
  const event: Record<string, unknown> = wireAttempt();
  const raw: string[] = [];
  for (const [name, text] of Object.entries(members)) {
    delete event[name];
    if (text === '$ABSENT') continue;
    const shown = name === 'attributes' ? text.replace('rb_ingest_...', ownKey) : text;
    raw.push(`${JSON.stringify(name)}:${instants(shown)}`);
  }
  return `{"events":[${[JSON.stringify(event).slice(0, -1), ...raw].join(',')}}]}`;
}

const events = (count: number): string =>
  JSON.stringify({ events: Array.from({ length: count }, () => wireAttempt()) });

const GENERATORS: Readonly<Record<string, (args: Record<string, number | string>) => string | Buffer>> = {
  events: ({ n }) => events(Number(n)),
  depth: ({ n }) => eventWith({ attributes: '['.repeat(Number(n)) + ']'.repeat(Number(n)) }),
  long_key: ({ bytes }) => eventWith({ attributes: `{"${'k'.repeat(Number(bytes))}":"v"}` }),
  digits: ({ n }) => eventWith({ attributes: `{"m":${'9'.repeat(Number(n))}}` }),
  gzip: ({ n }) => gzipSync(events(Number(n))),
  gzip_cut: ({ cut }) => gzipSync(events(10)).subarray(0, -Number(cut)),
  gzip_badcrc: () => {
    const packed = gzipSync(events(10));
    packed.writeUInt8(packed.readUInt8(packed.length - 8) ^ 1, packed.length - 8);
    return packed;
  },
  gzip_members: ({ n }) =>
    Buffer.concat(Array.from({ length: Number(n) }, () => gzipSync(JSON.stringify(wireAttempt())))),
  gzip_bomb: ({ bytes }) => gzipSync(Buffer.alloc(Number(bytes), 0x20)),
};

export interface BodyValues {
  /** Id of an event stored before, for the case that sends it again. */
  sameId: string;
  /** One of our own keys, pasted into a text. */
  ownKey: string;
}

export function makeBody(spec: BodySpec, { sameId, ownKey }: BodyValues): string | Buffer {
  if (spec.text !== undefined) return fillText(spec.text);
  if (spec.json !== undefined) return JSON.stringify(fillJson(spec.json, sameId));
  if (spec.base_event_with) return eventWith(spec.base_event_with, ownKey);
  if (spec.b64 !== undefined) {
    const bytes = Buffer.from(spec.b64, 'base64');
    // The byte order mark's case holds a placeholder; the cases of broken UTF-8 must stay as they are.
    const filled = bytes.toString('latin1').replace('"$EVENT"', JSON.stringify(wireAttempt()));
    return Buffer.from(filled, 'latin1');
  }
  const generator = GENERATORS[spec.gen ?? ''];
  if (!generator) throw new Error(`no generator ${String(spec.gen)}`);
  return generator(spec.args ?? {});
}
