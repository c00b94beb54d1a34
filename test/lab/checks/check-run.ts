import type { CheckName } from '@/lib/core/check-name';
import type { FindingRowView } from '@/lib/queries/finding-view';
import type { Flag } from '@/lib/core/verdict';
import type { OperationRowView, OperationStoryView, ReviewRowView } from '@/lib/queries/views';
import { callRead } from '@/test/support/call-api';
import { nameRun, type CheckScenario, type FlagScenario, type RunName } from './check-scenario';
import { makeKit, type KitSources } from './kit';

/** Drives the scenarios, then reads over the API what Readback makes of them. */

const CONCURRENCY = 12;

interface Run {
  name: RunName;
  drive: () => Promise<void>;
}

function listRuns(scenario: CheckScenario | FlagScenario, sources: KitSources, faults: string[]): Run[] {
  return (['flawed', 'sound'] as const).map((variant) => {
    const name = nameRun(scenario, variant);
    return {
      name,
      drive: async () => {
        const kit = makeKit(name, scenario.client, scenario.server ?? 'honours_keys', sources);
        await scenario[variant](kit);
        const sent = await kit.reporter.close(20_000);
        const { rejected, dropped, conflicts } = kit.reporter.stats();
        if (!sent || rejected + dropped + conflicts > 0) faults.push(`${name}: events refused or lost`);
      },
    };
  });
}

/** @returns sentences about clients that broke or events that did not arrive */
export async function runScenarios(
  scenarios: readonly (CheckScenario | FlagScenario)[],
  sources: KitSources,
): Promise<string[]> {
  const faults: string[] = [];
  const waiting = scenarios.flatMap((scenario) => listRuns(scenario, sources, faults));
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name } = next;
      await next.drive().catch((error: unknown) => faults.push(`${name}: ${String(error)}`));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return faults;
}

async function readAll<T>(path: string, key: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await callRead(`${path}&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, { key });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as { items: T[]; nextCursor: string | null };
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

export interface Observations {
  findings: FindingRowView[];
  operations: OperationRowView[];
  reviews: ReviewRowView[];
}

/** Everything of the project between two instants, through the routes that dashboards and read keys use. */
export async function observeAll(key: string, fromMs: number, toMs: number): Promise<Observations> {
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
  return {
    findings: await readAll<FindingRowView>(`/api/v1/findings?${range}`, key),
    operations: await readAll<OperationRowView>(`/api/v1/operations?${range}`, key),
    reviews: await readAll<ReviewRowView>('/api/v1/review?', key),
  };
}

function isOf(name: RunName, { operationId, evidence, service, subject }: FindingRowView): boolean {
  const { operationIds } = evidence;
  const named = [operationId, ...(Array.isArray(operationIds) ? (operationIds as unknown[]) : [])];
  const mine = named.some((id) => typeof id === 'string' && (id.startsWith(`${name}:`) || id === name));
  return mine || service === name || subject.value === name;
}

/** What was found about one run, by operation, attempt and time. */
export function findingsOf(name: RunName, { findings }: Observations): FindingRowView[] {
  return findings
    .filter((finding) => isOf(name, finding))
    .sort(
      (a, b) =>
        (a.operationId ?? '').localeCompare(b.operationId ?? '') ||
        (a.attempt ?? 0) - (b.attempt ?? 0) ||
        Number(new Date(a.at)) - Number(new Date(b.at)),
    );
}

export function checksIn(findings: readonly FindingRowView[]): CheckName[] {
  return [...new Set(findings.map(({ check }) => check as CheckName))].sort();
}

/** Attempts of a run's operation `op` whose verdict carries the flag, by the operation's own page. */
export async function flagsOf(name: RunName, flag: Flag, key: string): Promise<number[]> {
  const answer = await callRead(`/api/v1/operations/${encodeURIComponent(`${name}:op`)}`, { key });
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  const { sends } = (await answer.json()) as Pick<OperationStoryView, 'sends'>;
  return sends.filter(({ verdict }) => verdict.flags.includes(flag)).map(({ attempt }) => attempt.attempt);
}
