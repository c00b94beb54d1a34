import { CLIENTS, type ClientName, type Driver, type LabCall } from './lab-clients';
import type { Effect, LabServer, Step } from './lab-server';
import { SCENARIOS, type Expectation, type Scenario, type Variant } from './scenarios';

/** One operation the lab drove, with what is expected of it. `expect` is null where only the invariants hold. */
export interface LabCase {
  title: string;
  client: ClientName;
  call: LabCall;
  expect: ((sends: number) => Expectation) | null;
  server: LabServer | null;
}

export interface LabServers {
  honoursKeys: LabServer;
  ignoresKeys: LabServer;
  closedPort: number;
}

const CONCURRENCY = 12;

function makeCall(scenario: Scenario, variant: Variant, operationId: string, url: string): LabCall {
  return {
    operationId,
    url,
    kind: variant === 'read' ? 'read' : 'write',
    profile: scenario.profile ?? 'http',
    attemptsMax: 3,
    timeoutMs: 2_000,
    ...(variant === 'keyed' && { key: `key-${operationId}` }),
    ...scenario.call,
    blind: variant === 'blind',
  };
}

function slugOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Every scenario by every client and variant it names. */
export function listCases(servers: LabServers): LabCase[] {
  return SCENARIOS.flatMap((scenario) =>
    (scenario.clients ?? CLIENTS).flatMap((client) =>
      scenario.variants.map((variant) => {
        const operationId = `${slugOf(scenario.name)}:${variant}:${client}`;
        const server = scenario.server === 'ignores_keys' ? servers.ignoresKeys : servers.honoursKeys;
        const closed = scenario.server === 'closed';
        if (!closed) server.script(operationId, scenario.steps);
        const url = closed ? `http://127.0.0.1:${servers.closedPort}` : server.url;
        return {
          title: `${scenario.name} · ${variant} · ${client}`,
          client,
          call: makeCall(scenario, variant, operationId, `${url}/things`),
          expect: (sends: number) => scenario.expect(variant, sends),
          server: closed ? null : server,
        };
      }),
    ),
  );
}

/** mulberry32: a small generator, so that a failing walk can be walked again. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

const WALK_STEPS: readonly Step[] = [
  { do: 'answer', status: 201, work: true },
  { do: 'answer', status: 500, work: true },
  { do: 'answer', status: 500, work: false },
  { do: 'answer', status: 502, work: true },
  { do: 'answer', status: 503, work: false },
  { do: 'answer', status: 504, work: true, lateMs: 60 },
  { do: 'answer', status: 429, work: false, headers: { 'retry-after': '0' } },
  { do: 'answer', status: 409, work: false },
  { do: 'answer', status: 422, work: false },
  { do: 'reset', work: true },
  { do: 'reset', work: false },
  { do: 'close', work: true },
  { do: 'hang', work: true },
  { do: 'cut', status: 200, work: true },
  { do: 'cut', status: 500, work: true },
];

/** Random misfortunes: nothing is expected of them but that no real effect is missed. */
export function listWalks(servers: LabServers, count: number, seed: number): LabCase[] {
  const random = makeRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const client = pick(random, CLIENTS);
    const keyed = random() < 0.3;
    const ignored = keyed && random() < 0.4;
    const server = ignored ? servers.ignoresKeys : servers.honoursKeys;
    const operationId = `walk-${seed}-${index}`;
    server.script(
      operationId,
      Array.from({ length: 4 }, () => pick(random, WALK_STEPS)),
    );
    const call: LabCall = {
      operationId,
      url: `${server.url}/things`,
      kind: random() < 0.15 ? 'read' : 'write',
      profile: pick(random, ['http', 'vibecode', 'quillhub'] as const),
      attemptsMax: 1 + Math.floor(random() * 4),
      timeoutMs: 900,
      blind: random() < 0.7,
      // Only a server that keeps its answers may be claimed as one.
      ...(keyed && { key: `key-${operationId}`, keyMode: ignored ? ('none' as const) : ('server' as const) }),
    };
    return { title: operationId, client, call, expect: null, server };
  });
}

/** Drives the cases, a dozen at a time. */
export async function runCases(cases: LabCase[], drivers: Record<ClientName, Driver>): Promise<void> {
  const waiting = [...cases];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await drivers[next.client](next.call);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** How often the server really did the operation's work. */
export function countEffects(server: LabServer | null, operationId: string): number {
  return (server?.effects ?? []).filter((effect: Effect) => effect.operationId === operationId).length;
}
