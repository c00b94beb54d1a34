import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { build, isBuilt } from '../../bin/build.mjs';
import { startTestServer } from './global-setup';
import { createTestDatabase } from './database';
import { startServer, type TestServer } from './server';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program as `npm start -- --demo` runs it, its week loaded and worked on. */
    demo: DemoSite;
  }
}

export interface DemoSite {
  url: string;
  email: string;
  password: string;
}

const LOADED_WITHIN_MS = 240_000;

/** Brings up the demo once for all browser tests: what they look at is what a newcomer sees. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const demo = await startDemo();
  project.provide('demo', demo.site);
  return demo.stop;
}

/** The program as `npm start -- --demo` runs it, on a database of its own. */
export async function startDemo(): Promise<{ site: DemoSite; stop: () => Promise<void> }> {
  if (!isBuilt() && !(await build({ quiet: true }))) throw new Error('The dashboard could not be built.');
  const postgres = startTestServer();
  const database = await createTestDatabase(await postgres.url);
  const server = await startServer({ databaseUrl: database.url, args: ['--demo'] });
  const signIn = await waitFor(server, /Sign in to the demo with (\S+) and (\S+)/);
  await waitFor(server, /The demo week is loaded/);
  const site: DemoSite = { url: server.url, email: signIn[1] ?? '', password: signIn[2] ?? '' };
  await waitForQueue(site);
  const stop = async (): Promise<void> => {
    await server.stop();
    await database.close();
    await postgres.stop();
  };
  return { site, stop };
}

async function waitFor(server: TestServer, words: RegExp): Promise<RegExpExecArray> {
  for (const until = Date.now() + LOADED_WITHIN_MS; Date.now() < until; await sleep(250)) {
    const found = words.exec(server.output());
    if (found) return found;
  }
  throw new Error(`The demo never said ${String(words)}: ${server.errors()}`);
}

/** The week is settled and the demo's people have been through the queue. */
async function waitForQueue(site: DemoSite): Promise<void> {
  const cookie = await signInForCookie(site);
  for (const until = Date.now() + LOADED_WITHIN_MS; Date.now() < until; await sleep(1_000)) {
    const answer = await fetch(`${site.url}/api/v1/review?project=demo&state=snoozed`, { headers: { cookie } });
    const page = (await answer.json()) as { items?: unknown[] };
    if ((page.items ?? []).length > 0) return;
  }
  throw new Error('The demo people never worked the queue.');
}

/** A session's cookie, for requests outside a browser. */
export async function signInForCookie(site: DemoSite): Promise<string> {
  const answer = await fetch(`${site.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site.url },
    body: JSON.stringify({ email: site.email, password: site.password }),
  });
  if (!answer.ok) throw new Error(`Signing in answered ${answer.status}.`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
