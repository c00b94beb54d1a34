import type postgres from 'postgres';
import { listJobOperations, listLaneOperations, listNamedOperations, type DueWindow } from '@/db/queries/stream';
import { listChain } from '@/db/queries/stream-chain';
import { mergeFacts, readFacts, readFactsOfType } from '@/db/queries/settle';
import type { SettleProject } from '@/db/queries/settle-project';
import type { Fact } from '@/lib/core/attempt';
import { toStreamFacts, toStreamSends } from '@/lib/core/checks/stream/build-stream';
import type { StreamFacts, StreamSend } from '@/lib/core/checks/stream/stream';
import { pinRuleSets } from '@/lib/core/rules/index';
import { GROUP_RULES, isLaneGroup, slotsOf, type WindowGroup } from '@/lib/core/stream-windows';
import { buildTimeline, type FoldContext, type Send } from '@/lib/core/timeline';

/** What the checks of one window look at, read from stored facts within fixed bounds. */

/** Operations of one window at most: those that can set something off first, then the earliest. */
export const WINDOW_OPERATIONS_MAX = 1_000;
/** Operations of one chain at most, its first ones. */
const CHAIN_OPERATIONS_MAX = 500;
/** Facts of one type beside sends at most. */
const WINDOW_FACTS_MAX = 2_000;

export interface Gathered {
  sends: StreamSend[];
  facts: StreamFacts;
  /** Judged sends by event id: whose dimension and rule set a finding takes. */
  judged: ReadonlyMap<string, Send>;
  /** Dimension that each stored attempt counts under, by event id. */
  dimensions: ReadonlyMap<string, string>;
}

async function listOperations(
  tx: postgres.ISql,
  project: SettleProject,
  group: WindowGroup,
  window: DueWindow,
): Promise<string[]> {
  const span = { digest: window.digest, ...slotsOf(group, window.windowFrom, project.settings) };
  const rule = { flags: GROUP_RULES[group].flags, limit: WINDOW_OPERATIONS_MAX };
  if (isLaneGroup(group)) return await listLaneOperations(tx, project.id, group, span, rule);
  if (group === 'key' || group === 'fingerprint') return await listNamedOperations(tx, project.id, group, span, rule);
  if (group === 'chain') return await listChain(tx, project.id, window.value, CHAIN_OPERATIONS_MAX);
  return await listJobOperations(tx, project.id, window.value, WINDOW_OPERATIONS_MAX);
}

/** Renewals, fixes and deliveries in the window's reach, those that name an operation too. */
async function readBeside(
  tx: postgres.ISql,
  project: SettleProject,
  group: WindowGroup,
  window: DueWindow,
): Promise<Fact[]> {
  const span = { ...slotsOf(group, window.windowFrom, project.settings), limit: WINDOW_FACTS_MAX };
  const { id } = project;
  switch (group) {
    case 'credential': {
      const field = { name: 'credential', value: window.value };
      return await readFactsOfType(tx, id, 'auth_refresh', { ...span, field });
    }
    case 'scope':
      return await readFactsOfType(tx, id, 'cause_fixed', span);
    case 'job':
      return await readFactsOfType(tx, id, 'webhook_delivery', {
        ...span,
        field: { name: 'jobId', value: window.value },
      });
    case 'portal':
    case 'target':
    case 'service':
    case 'key':
    case 'fingerprint':
    case 'chain':
      return [];
  }
}

export async function gatherWindow(
  tx: postgres.ISql,
  project: SettleProject,
  group: WindowGroup,
  window: DueWindow,
): Promise<Gathered> {
  const operationIds = await listOperations(tx, project, group, window);
  const stored = await readFacts(tx, project.id, operationIds);
  const beside = await readBeside(tx, project, group, window);
  const { settings, profiles } = project;
  // Sends of clients that died are no stream sends, so the instant judged at bears on nothing here.
  const context: FoldContext = { asOf: 0, settings, profiles, ruleSets: pinRuleSets(project.ruleSets) };
  const judged = new Map<string, Send>();
  const sends = operationIds.flatMap((operationId) => {
    const timeline = buildTimeline({ operationId, facts: stored.facts.get(operationId) ?? [] }, context);
    for (const send of timeline.sends) judged.set(send.attempt.id, send);
    return toStreamSends(timeline.sends);
  });
  const facts = toStreamFacts(mergeFacts([...stored.facts.values()].flat(), beside));
  const dimensions = new Map([...stored.judgements].map(([id, { dimensionId }]) => [id, dimensionId.toString()]));
  return { sends, facts, judged, dimensions };
}
