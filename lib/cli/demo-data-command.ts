import { DemoLoadError, loadDemoWeek, type LoadResult } from '@/lib/demo/load-week';
import { prepareDemo, type PreparedDemo } from '@/lib/demo/prepare-demo';
import { CommandFailure, EXIT } from './command-failure';
import type { Terminal } from './terminal';
import { withDatabase } from './with-database';

export interface DemoDataOptions {
  url: string;
  /** Share of the full week's traffic. */
  scale: number;
}

/** Makes the demo project and its people, and loads the week into a running Readback, over HTTP only. */
export async function demoDataCommand(terminal: Terminal, { url, scale }: DemoDataOptions): Promise<void> {
  await refuseSilence(url);
  const demo = await withDatabase((db) => prepareDemo(db, { now: Date.now() }));
  const loaded = await load(terminal, demo, url, scale);
  terminal.result(
    { project: demo.project.slug, ...loaded },
    `${demo.project.slug}: ${loaded.events} events, ${loaded.accepted} new, ${loaded.duplicates} there already`,
  );
}

async function load(terminal: Terminal, demo: PreparedDemo, url: string, scale: number): Promise<LoadResult> {
  const progress = terminal.progress(1, 'hours');
  const { ingestKey, anchor } = demo;
  try {
    return await loadDemoWeek({
      baseUrl: url,
      ingestKey,
      anchor,
      scale,
      until: Date.now(),
      onProgress: ({ hoursDone, hoursTotal }) => progress.update(hoursDone, hoursTotal),
    });
  } catch (error) {
    if (error instanceof DemoLoadError) throw new CommandFailure('demo_refused', error.message, EXIT.again);
    throw error;
  } finally {
    progress.stop();
  }
}

/** Before anything is made: without a service to send to there is nothing to do. */
async function refuseSilence(url: string): Promise<void> {
  try {
    const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(5_000) });
    if (answer.ok) return;
  } catch {
    // answered below
  }
  throw new CommandFailure(
    'not_running',
    `Nothing answers at ${url}: start Readback first, or name its address with --url.`,
    EXIT.again,
  );
}
