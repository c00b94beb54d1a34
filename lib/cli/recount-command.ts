import type { Drift } from '@/db/queries/recount';
import { recountProject } from '@/lib/jobs/recount';
import { systemClock } from '@/lib/platform/clock';
import { createLog } from '@/lib/platform/log';
import { CommandFailure, EXIT } from './command-failure';
import { findProject } from './manage-commands';
import type { Terminal } from './terminal';
import { withDatabase } from './with-database';

export interface RecountOptions {
  project: string;
  /** Epoch ms. */
  from?: number;
  to?: number;
}

/** Compares a project's rollups with a count over its rows. A difference is a defect of ours, and fails the command. */
export async function recountCommand(terminal: Terminal, options: RecountOptions): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    await withDatabase(
      async (db) => {
        const { project } = await findProject(db, options.project);
        const context = {
          db,
          log: createLog('warn', { part: 'command' }),
          now: systemClock(),
          signal: stopping.signal,
        };
        const progress = terminal.progress(1, 'slices');
        const result = await recountProject(context, project.id, options, (done, total) => {
          progress.update(done, total);
        }).finally(() => progress.stop());
        if (!result) throw new CommandFailure('cancelled', 'Cancelled.', EXIT.cancelled);
        const { drift, examples } = result;
        const [from, to] = [new Date(result.span.from).toISOString(), new Date(result.span.to).toISOString()];
        const text =
          drift === 0
            ? `${project.slug}: rollups equal a recount from ${from} to ${to}`
            : [`${project.slug}: ${drift} rollup rows differ from a recount`, ...examples.map(describe)].join('\n');
        terminal.result({ project: project.slug, from, to, drift, examples }, text);
        if (drift > 0) throw new CommandFailure('drift_found', 'Rollups differ: that is a defect, please report it.');
      },
      { signals: 'left to the command' },
    );
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function describe({ table, grain, at, dimensionId, key, stored, counted }: Drift): string {
  const row = [table, `${grain} min`, new Date(at).toISOString(), dimensionId ?? '-', key].filter(
    (part) => part !== '',
  );
  return `  ${row.join(' ')}: kept ${stored.join('/')}, counted ${counted.join('/')}`;
}
