import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSettings } from '@/lib/services/project/change-settings';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createIngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject } from '@/test/support/project';
import { actingIn } from '@/test/support/recompute';

/** A project's pinned editions and mapping of targets judge what is sent to it, over a real socket. */

let database: TestDatabase;
let server: IngestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startIngestServer(database.db);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const refused = (more = {}) =>
  wireAttempt({ kind: 'write', status: 429, code: 'CALLER_RATE_LIMITED', target: 'crm.example', ...more });

interface Judged {
  results: { verdict: { rule: string; ruleSet: string } }[];
}
interface Evaluated {
  operations: { state: string; attempts: { verdict: { ruleSet: string } }[] }[];
}

async function ruleSetsStored(projectId: number): Promise<string[]> {
  const rows = await database.db.sql<{ rule_set: string }[]>`
    select rule_set from attempt where project_id = ${projectId} order by received_at, id`;
  return rows.map((row) => row.rule_set);
}

describe('a pinned edition', () => {
  it('judges in classify, evaluate and on arrival; an edition that is named wins', async () => {
    const home = await createTestProject(database.db, {
      profile: 'vibecode',
      ruleSets: { vibecode: 'vibecode@older-ru' },
      targets: [{ pattern: '*.plain.example', profile: 'http' }],
    });
    const reader = createIngestClient(server.port, home.keys.read);
    const events = [refused(), refused({ target: 'api.plain.example' }), refused({ profile: 'quillhub' })];
    const classified = await reader.post(events, {}, '/api/v1/classify');
    expect((classified.json as unknown as Judged).results.map(({ verdict }) => verdict.ruleSet)).toEqual([
      'vibecode@older-ru',
      'http@2026-11-30',
      'quillhub@2026-11-30',
    ]);
    const named = await reader.post([refused()], {}, '/api/v1/classify?ruleSet=vibecode@2026-10-22');
    expect((named.json as unknown as Judged).results[0]?.verdict).toMatchObject({
      ruleSet: 'vibecode@2026-10-22',
      rule: 'CALLER_RATE_LIMITED',
    });

    const path = '/api/v1/operations/evaluate';
    const evaluated = (await reader.post([refused()], {}, path)).json as unknown as Evaluated;
    expect(evaluated.operations[0]).toMatchObject({ state: 'unresolved' });
    const current = (await reader.post([refused()], {}, `${path}?ruleSet=vibecode@2026-10-22`))
      .json as unknown as Evaluated;
    expect(current.operations[0]?.attempts[0]?.verdict.ruleSet).toBe('vibecode@2026-10-22');
    expect((await reader.post([refused()], {}, `${path}?ruleSet=vibecode@2099`)).status).toBe(400);

    const sender = createIngestClient(server.port, home.keys.ingest);
    expect((await sender.post(refused())).status).toBe(202);
    expect(await ruleSetsStored(home.project.id)).toEqual(['vibecode@older-ru']);
  });

  it('reaches ingestion within ten seconds of the change', async () => {
    const home = await createTestProject(database.db, { profile: 'vibecode' });
    const sender = createIngestClient(server.port, home.keys.ingest);
    expect((await sender.post(refused())).status).toBe(202);
    const ctx = actingIn(database.db, home, Date.now());
    const changed = await changeSettings(ctx, { version: 1, ruleSets: { vibecode: 'vibecode@older-ru' } });
    expect(changed.ok).toBe(true);
    const changedAt = Date.now();
    await sleep(10_100);
    expect((await sender.post(refused())).status).toBe(202);
    expect(Date.now() - changedAt).toBeLessThan(15_000);
    expect(await ruleSetsStored(home.project.id)).toEqual(['vibecode@2026-10-22', 'vibecode@older-ru']);
  });
});
