import { HOUR_MS } from '../calendar';
import { AGENT_WORKER, CRM_SYNC, DEAL_ADD, DEAL_DELETE, DEAL_LIST, ORDER_INTAKE, PORTALS } from '../fleet';
import { refuse, succeed, timeOut } from '../outcomes';
import { drawInstants, type Plot } from './plot';

/** An AI agent deletes, loses patience and deletes again; the platform knows the first one. */
export const tellAgentDeletes: Plot = (story, setting) => {
  const { random } = story;
  for (const at of drawInstants(story, setting, 1.6, 0.1)) {
    const operation = story.begin(AGENT_WORKER, DEAL_DELETE, at, {
      scope: random.pick(PORTALS),
      businessKey: `deal-${random.int(1_000, 99_999)}`,
    });
    operation.send(timeOut(8_000 + random.int(0, 10))).wait(random.between(1_000, 9_000));
    operation.send({
      lastsMs: random.latencyMs(60),
      outcome: 'http_error',
      status: 409,
      code: 'AGENT_WRITE_ALREADY_EXECUTED',
      message: 'The same delete was sent less than 30 seconds ago',
      firstStatus: random.chance(0.65) ? 200 : null,
    });
  }
};

/** A token that can't be renewed stops a portal's calls until it can. */
export const tellTokenTrouble: Plot = (story, setting) => {
  const { random } = story;
  const hour = new Date(story.hourStart).getUTCHours();
  if (hour !== 6 && hour !== 13) return;
  const from = story.hourStart + random.between(0.1, 0.5) * HOUR_MS;
  const until = from + random.between(3, 7) * 60_000;
  const count = Math.max(1, Math.round(24 * setting.scale));
  for (let index = 0; index < count; index += 1) {
    const at = random.between(from, until);
    const operation = story.begin(CRM_SYNC, DEAL_LIST, at, { scope: 'atelier-lumiere.bitrix24.fr' });
    operation.send(refuse(random, 'TOKEN_REFRESH_FAILED', null));
    operation.wait(until - operation.now + random.between(400, 9_000));
    operation.send({ ...succeed(random.latencyMs(DEAL_LIST.latencyMs)), reason: 'reauth' });
  }
  const credential = 'atelier-lumiere:app';
  story.tell(until, { type: 'auth_refresh', credential, startedAt: Math.round(until) - 300, ok: true }, until);
};

/** Wrong input: it fails the same way until somebody mends it, and some clients don't take the hint. */
export const tellBusinessErrors: Plot = (story, setting) => {
  const { random } = story;
  for (const at of drawInstants(story, setting, 11, 0.4)) {
    story.begin(ORDER_INTAKE, DEAL_ADD, at, { scope: random.pick(PORTALS) }).send(refuse(random, 'BITRIX_ERROR', null));
  }
  if (new Date(story.hourStart).getUTCHours() !== 14) return;
  const start = story.hourStart + random.between(0, 0.6) * HOUR_MS;
  const count = Math.max(1, Math.round(14 * setting.scale));
  for (let index = 0; index < count; index += 1) {
    const operation = story.begin(CRM_SYNC, DEAL_LIST, start + index * random.between(8_000, 20_000));
    const loop = index > 4;
    operation.send(refuse(random, loop ? 'ERROR_LOOP_DETECTED' : 'BITRIX_ERROR', null));
    if (random.chance(0.4))
      operation.wait(random.between(500, 1_500)).send(refuse(random, 'ERROR_LOOP_DETECTED', null));
  }
  const fixedAt = start + 12 * 60_000;
  const event = {
    type: 'cause_fixed' as const,
    code: 'BITRIX_ERROR',
    service: CRM_SYNC.service,
    startedAt: Math.round(fixedAt),
  };
  story.tell(fixedAt, event, fixedAt);
};
