import { BILLING, CHARGE_CREATE, drawAmount, REFUND_CREATE } from '../fleet';
import { answerStatus, refuseConnection, resetByPeer, succeed, timeOut } from '../outcomes';
import type { SendOutcome, Story } from '../story';
import { drawInstants, type Plot } from './plot';

function drawFailure(story: Story): SendOutcome {
  const { random } = story;
  return random.weighted([
    [() => answerStatus(10_000 + random.int(0, 40), 504), 4],
    [() => answerStatus(random.latencyMs(300), 502), 3],
    [() => answerStatus(random.latencyMs(200), 500), 2],
    [() => timeOut(8_000 + random.int(0, 12)), 3],
    [() => resetByPeer(random.latencyMs(500)), 2],
  ] as const)();
}

function keyOf(story: Story): string {
  return `idem-${Math.floor(story.random.next() * 0xffffffffffff).toString(16)}`;
}

/** A charge has a key that the provider keeps: repeating it is safe, and the answer may be the first one's. */
function tellCharge(story: Story, at: number): void {
  const { random } = story;
  const key = keyOf(story);
  const operation = story.begin(BILLING, CHARGE_CREATE, at, {
    amount: drawAmount(random),
    businessKey: `INV-${random.int(10_000, 99_999)}`,
    idempotency: { key, mode: 'server' },
  });
  operation.send(drawFailure(story)).wait(random.between(200, 600));
  if (random.chance(0.2)) operation.send(drawFailure(story)).wait(random.between(400, 1_200));
  const replayed = random.chance(0.55);
  operation.send({
    ...succeed(random.latencyMs(CHARGE_CREATE.latencyMs), 201),
    ...(replayed && {
      headers: { 'idempotent-replayed': 'true' },
      idempotency: { key, mode: 'server' as const, replayed: true },
    }),
  });
}

/** A refund has none: whoever fails without an answer leaves money in doubt. */
function tellRefund(story: Story, at: number): void {
  const { random } = story;
  const operation = story.begin(BILLING, REFUND_CREATE, at, {
    amount: drawAmount(random),
    businessKey: `RF-${random.int(10_000, 99_999)}`,
    attributes: { reason: random.pick(['customer request', 'возврат товара', 'double order']) },
  });
  operation.send(drawFailure(story));
  if (random.chance(0.35)) {
    operation.readBack(random.chance(0.6) ? 'present' : 'absent', {
      afterMs: random.between(70_000, 300_000),
      entityIds: [`re_${random.int(100_000, 999_999)}`],
    });
  }
}

/** The provider slows down with a date, and says no to a card. */
function tellRefusal(story: Story, at: number): void {
  const { random } = story;
  const operation = story.begin(BILLING, CHARGE_CREATE, at, {
    amount: drawAmount(random),
    idempotency: { key: keyOf(story), mode: 'server' },
  });
  const declined = random.chance(0.6);
  if (declined) {
    operation.send({ ...answerStatus(random.latencyMs(500), 402), code: 'card_declined', message: 'Card declined' });
    return;
  }
  const lastsMs = random.latencyMs(30);
  const askedMs = random.pick([2_000, 4_000]);
  const until = new Date(Math.ceil((operation.now + lastsMs + askedMs) / 1000) * 1000).toUTCString();
  operation.send(answerStatus(lastsMs, 429, until));
  operation.wait(askedMs + random.between(1_000, 1_800));
  operation.send(succeed(random.latencyMs(CHARGE_CREATE.latencyMs), 201));
}

export const tellPayments: Plot = (story, setting) => {
  for (const at of drawInstants(story, setting, 9, 0.6)) tellCharge(story, at);
  for (const at of drawInstants(story, setting, 1.3, 0.1)) tellRefund(story, at);
  for (const at of drawInstants(story, setting, 14, 0.5)) tellRefusal(story, at);
  for (const at of drawInstants(story, setting, 3)) {
    story
      .begin(BILLING, CHARGE_CREATE, at, { amount: drawAmount(story.random) })
      .send(refuseConnection(story.random.int(1, 3)))
      .wait(story.random.between(200, 500))
      .send(succeed(story.random.latencyMs(CHARGE_CREATE.latencyMs), 201));
  }
};
