import { MINUTE_MS } from '../calendar';
import { TRANSCRIBER, TRANSCRIPTION_CREATE } from '../fleet';
import { answerStatus, succeed, timeOut } from '../outcomes';
import type { Operation, Story } from '../story';
import { drawInstants, type Plot } from './plot';

function beginJob(story: Story, at: number): Operation {
  const { random } = story;
  return story.begin(TRANSCRIBER, TRANSCRIPTION_CREATE, at, {
    businessKey: `audio-${random.int(10_000, 99_999)}`,
    idempotency: { key: `job-${Math.floor(random.next() * 0xffffffff).toString(16)}`, mode: 'client_dedupe' },
  });
}

/** An accepted job ends a while later; its webhook is repeated until somebody takes it. */
function tellJob(story: Story, operation: Operation): void {
  const { random } = story;
  const jobId = `job_${Math.floor(random.next() * 0xffffffff).toString(36)}`;
  operation.send({ ...succeed(random.latencyMs(TRANSCRIPTION_CREATE.latencyMs), 202), jobId });
  operation.now += random.int(1, 9) * MINUTE_MS;
  const failed = random.chance(0.06);
  const startedAt = operation.now;
  operation.say({
    type: 'job_result',
    operationId: operation.operationId,
    jobId,
    result: failed ? 'failed' : 'completed',
    ...(failed && { code: random.pick(['transcription_failed', 'duration_too_long']) }),
    startedAt,
  });
  const event = failed ? 'transcription.failed' : 'transcription.completed';
  const missed = random.chance(0.05);
  operation.say({ type: 'webhook_delivery', jobId, event, startedAt, status: missed ? 502 : 200 });
  if (!missed) return;
  operation.now += MINUTE_MS + random.int(0, 4_000);
  operation.say({ type: 'webhook_delivery', jobId, event, startedAt: operation.now, status: 200 });
}

/** QuillHub: jobs, one polite retry after a 429, and a listing before anything is posted again. */
export const tellTranscriptions: Plot = (story, setting) => {
  const { random } = story;
  for (const at of drawInstants(story, setting, 16, 0.5)) tellJob(story, beginJob(story, at));
  for (const at of drawInstants(story, setting, 5)) {
    const operation = beginJob(story, at);
    operation.send({ ...answerStatus(random.latencyMs(40), 429, '2'), code: 'rate_limit_error' });
    operation.wait(2_000 + random.between(5, 300));
    tellJob(story, operation);
  }
  for (const at of drawInstants(story, setting, 2.4, 0.1)) {
    const operation = beginJob(story, at);
    const lost = random.chance(0.5);
    operation.send(lost ? timeOut(10_000 + random.int(0, 9)) : answerStatus(random.latencyMs(900), 500));
    const seen = random.weighted([
      ['present', 4],
      ['absent', 4],
      ['inconclusive', 1],
    ] as const);
    operation.readBack(seen, {
      afterMs: random.between(62_000, 150_000),
      entityIds: [`job_${random.int(1_000, 9_999)}`],
    });
    if (seen === 'absent') tellJob(story, operation.wait(random.between(500, 4_000)));
  }
  for (const at of drawInstants(story, setting, 3)) {
    beginJob(story, at).send({
      ...answerStatus(random.latencyMs(90), 400),
      code: random.pick(['invalid_url', 'unsupported_source', 'insufficient_points']),
    });
  }
  for (const at of drawInstants(story, setting, 0.15)) {
    beginJob(story, at).send({ ...answerStatus(random.latencyMs(120), 200), outcome: 'parse_error' });
  }
};
