import { randomBytes } from 'node:crypto';
import type { Database } from '@/db/client';
import { apiKey, project, settleTurn } from '@/db/schema';
import type { Profile } from '@/lib/core/attempt';
import type { Settings } from '@/lib/core/operation';
import type { AuthorizedProject, PinnedNames, ProfileRules } from '@/lib/core/project';
import { authorizeSystem } from '@/lib/auth/authorize-system';
import { hashKeySecret, KEY_SCOPES, makeKeyText, type KeyScope } from '@/lib/auth/key';

export interface TestProject {
  project: AuthorizedProject;
  hashSecret: Buffer;
  /** Whole keys, one a scope, for `Authorization: Bearer`. */
  keys: Record<KeyScope, string>;
}

export interface TestProjectOptions {
  profile?: Profile;
  targets?: ProfileRules['targets'];
  settings?: Partial<Settings>;
  ruleSets?: PinnedNames;
}

/** A project of this test's own, with a key of every scope. */
export async function createTestProject(db: Database, options: TestProjectOptions = {}): Promise<TestProject> {
  const slug = `test-${randomBytes(6).toString('hex')}`;
  const [row] = await db.orm
    .insert(project)
    .values({
      slug,
      name: slug,
      defaultProfile: options.profile ?? 'http',
      targets: options.targets ?? [],
      settings: options.settings ?? {},
      ruleSets: options.ruleSets ?? {},
      hashSecret: randomBytes(32),
    })
    .returning();
  if (!row) throw new Error('the project was not inserted');
  await db.orm.insert(settleTurn).values({ projectId: row.id }).onConflictDoNothing();
  const keys = Object.fromEntries(KEY_SCOPES.map((scope) => [scope, makeKeyText(scope)]));
  await db.orm.insert(apiKey).values(
    Object.values(keys).map((key) => ({
      projectId: row.id,
      keyId: key.keyId,
      name: `${key.scope} key`,
      scope: key.scope,
      secretHash: hashKeySecret(key.secret),
      lastFour: key.text.slice(-4),
      createdBy: 'test',
    })),
  );
  const texts = Object.fromEntries(Object.entries(keys).map(([scope, key]) => [scope, key.text]));
  return { ...authorizeSystem(row), keys: texts as Record<KeyScope, string> };
}
