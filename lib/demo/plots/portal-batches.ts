import type { BatchItemWire } from '@/lib/client/wire';
import { ITEM_ADD, PORTAL_CONNECTOR } from '../fleet';
import { refuse, succeed } from '../outcomes';
import type { Story } from '../story';
import { drawInstants, type Plot } from './plot';

function drawItems(story: Story, size: number): BatchItemWire[] {
  const { random } = story;
  const halted = random.chance(0.25);
  let stopped = false;
  return Array.from({ length: size }, (_, index) => {
    const write = random.chance(0.7);
    const item = {
      item: `c${index}`,
      kind: write ? ('write' as const) : ('read' as const),
      call: write ? ITEM_ADD.call : 'crm.item.list',
    };
    if (stopped) return { ...item, notRun: true };
    if (!random.chance(0.16)) return { ...item, status: 200 };
    stopped = halted;
    const code = random.weighted([
      ['QUERY_LIMIT_EXCEEDED', 5],
      ['INTERNAL_SERVER_ERROR', 2],
      ['ERROR_METHOD_NOT_FOUND', 1],
    ] as const);
    return { ...item, code };
  });
}

/** Batches answer 200 and hide what failed inside; some stop at the first failure. */
export const tellPortalBatches: Plot = (story, setting) => {
  const { random } = story;
  for (const at of drawInstants(story, setting, 7, 0.3)) {
    const size = random.int(3, 12);
    story.begin(PORTAL_CONNECTOR, { ...ITEM_ADD, call: 'batch' }, at, { scope: PORTAL_CONNECTOR.target }).send({
      ...succeed(random.latencyMs(900)),
      batch: { id: `b-${Math.floor(random.next() * 0xffffffff).toString(36)}`, size },
      items: drawItems(story, size),
    });
  }
  for (const at of drawInstants(story, setting, 12, 0.5)) {
    const operation = story.begin(PORTAL_CONNECTOR, ITEM_ADD, at, { scope: PORTAL_CONNECTOR.target });
    operation.send(refuse(random, 'QUERY_LIMIT_EXCEEDED', null));
    operation.wait(random.between(900, 1_100) * (random.chance(0.3) ? 2 : 1));
    operation.send(succeed(random.latencyMs(ITEM_ADD.latencyMs)));
  }
  for (const at of drawInstants(story, setting, 0.4, 0.03)) {
    story
      .begin(PORTAL_CONNECTOR, ITEM_ADD, at, {
        scope: PORTAL_CONNECTOR.target,
        businessKey: `row-${random.int(1, 9_999)}`,
      })
      .send(refuse(random, 'INTERNAL_SERVER_ERROR', null));
  }
};
