import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from '@/db/client';
import { apiKey } from '@/db/schema';
import { authorizeKey } from '@/lib/auth/authorize-key';
import { forgetKey, makeKeyText, parseKeyText } from '@/lib/auth/key';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';

let database: TestDatabase;
let db: Database;
let home: TestProject;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  home = await createTestProject(db, { profile: 'vibecode', settings: { readBackGraceMs: 1_000 } });
});
afterAll(() => database.close());

const keyIdOf = (text: string): string => parseKeyText(text)?.keyId ?? '';

describe('authorizeKey', () => {
  test('a key opens its own project with its settings, and nothing else', async () => {
    const other = await createTestProject(db);
    const answer = await authorizeKey(db, `Bearer ${home.keys.ingest}`, ['ingest']);
    expect(answer).toMatchObject({ ok: true, value: { project: { slug: home.project.slug }, scope: 'ingest' } });
    if (answer.ok) {
      expect(answer.value.project.settings.readBackGraceMs).toBe(1_000);
      expect(answer.value.project.profiles.defaultProfile).toBe('vibecode');
      expect(answer.value.project.id).not.toBe(other.project.id);
      expect(answer.value.hashSecret).toEqual(home.hashSecret);
    }
  });

  test.each([
    [null, 'missing_credentials'],
    ['', 'missing_credentials'],
    ['Basic eDp5', 'missing_credentials'],
    ['Bearer', 'invalid_credentials'],
    ['Bearer x', 'invalid_credentials'],
    ['Bearer \u00ff\u00fe', 'invalid_credentials'],
    [`Bearer ${makeKeyText('ingest').text}`, 'invalid_credentials'],
    [`Bearer ${makeKeyText('ingest').text} ${makeKeyText('ingest').text}`, 'invalid_credentials'],
  ])('%j is refused as %s', async (header, refusal) => {
    expect(await authorizeKey(db, header, ['ingest'])).toEqual({ ok: false, refusal });
  });

  test('the scheme is read without letter case', async () => {
    expect((await authorizeKey(db, `bearer  ${home.keys.read}`, ['read'])).ok).toBe(true);
  });

  test('another scope is refused, any of several is enough', async () => {
    const header = `Bearer ${home.keys.operate}`;
    expect(await authorizeKey(db, header, ['ingest'])).toEqual({ ok: false, refusal: 'wrong_scope' });
    expect((await authorizeKey(db, header, ['read', 'operate'])).ok).toBe(true);
  });

  test('a key that was made up from a known id and another secret is refused', async () => {
    const known = parseKeyText(home.keys.ingest);
    const made = makeKeyText('ingest');
    await db.orm
      .update(apiKey)
      .set({ keyId: made.keyId })
      .where(eq(apiKey.keyId, known?.keyId ?? ''));
    expect(await authorizeKey(db, `Bearer ${made.text}`, ['ingest'])).toEqual({
      ok: false,
      refusal: 'invalid_credentials',
    });
    await db.orm
      .update(apiKey)
      .set({ keyId: known?.keyId ?? '' })
      .where(eq(apiKey.keyId, made.keyId));
  });

  test('a typing error is refused without asking the database', async () => {
    const closed = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1, name: 'unreachable' });
    const typo = home.keys.ingest.slice(0, -1) + (home.keys.ingest.endsWith('0') ? '1' : '0');
    expect(await authorizeKey(closed, `Bearer ${typo}`, ['ingest'])).toEqual({
      ok: false,
      refusal: 'invalid_credentials',
    });
    await expect(authorizeKey(closed, `Bearer ${home.keys.ingest}`, ['ingest'])).rejects.toThrow();
    await closed.close(0);
  });

  test('a revoked key is refused at once here and within ten seconds elsewhere', async () => {
    const { keys } = await createTestProject(db);
    const elsewhere = openDatabase({ url: database.url, max: 1, name: 'elsewhere' });
    const header = `Bearer ${keys.ingest}`;
    expect((await authorizeKey(elsewhere, header, ['ingest'])).ok).toBe(true);
    expect((await authorizeKey(db, header, ['ingest'])).ok).toBe(true);
    await db.orm
      .update(apiKey)
      .set({ revokedAt: new Date(), revokedBy: 'test' })
      .where(eq(apiKey.keyId, keyIdOf(keys.ingest)));
    forgetKey(db, keyIdOf(keys.ingest));
    expect(await authorizeKey(db, header, ['ingest'])).toEqual({ ok: false, refusal: 'key_revoked' });
    await vi.waitFor(
      async () => expect(await authorizeKey(elsewhere, header, ['ingest'])).toMatchObject({ refusal: 'key_revoked' }),
      { timeout: 10_500, interval: 250 },
    );
    await elsewhere.close(0);
  });

  test('its last use is written once a minute', async () => {
    const { keys } = await createTestProject(db);
    const header = `Bearer ${keys.read}`;
    const readUse = async (): Promise<number | undefined> => {
      const [row] = await db.orm
        .select({ at: apiKey.lastUsedAt })
        .from(apiKey)
        .where(eq(apiKey.keyId, keyIdOf(keys.read)));
      return row?.at?.getTime();
    };
    const now = Date.now();
    await authorizeKey(db, header, ['read'], now);
    await vi.waitFor(async () => expect(await readUse()).toBe(now));
    await authorizeKey(db, header, ['read'], now + 59_000);
    await authorizeKey(db, header, ['read'], now + 61_000);
    await vi.waitFor(async () => expect(await readUse()).toBe(now + 61_000));
  });

  test('no stored byte authenticates', async () => {
    const rows = await db.sql`select encode(secret_hash, 'hex') || key_id || name || last_four as stored from api_key`;
    const stored = rows.map((row) => String(row.stored)).join();
    for (const text of Object.values(home.keys)) expect(stored).not.toContain(text.slice(-38, -6));
  });
});
