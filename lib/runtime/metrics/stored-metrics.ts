import type { Database } from '@/db/client';
import { countAccepted, sumOutcomes, sumOutcomesOf, type OutcomeCount } from '@/db/queries/ingest-outcome';
import { readRecount } from '@/db/queries/recount';
import { countQuarantined } from '@/db/queries/quarantine';
import { listProjectIds } from '@/db/queries/settle-project';
import type { AuthorizedProject } from '@/lib/core/project';
import type { Metric } from '@/lib/http/prometheus';
import { getPulse } from '@/lib/queries/pulse';
import { gauge } from './process-metrics';

/**
 * What the database says. A new gauge is one function in one of the two lists; each reads what it needs, and one that
 * fails is left out of the answer.
 */

/** Of the service as a whole: no project shows in it. */
export const SERVICE_METRICS: readonly ((db: Database) => Promise<Metric[]>)[] = [serviceOutcomes];

/** Of one project, for whoever has its key. */
export const PROJECT_METRICS: readonly ((ctx: ProjectContext) => Promise<Metric[]>)[] = [
  projectOutcomes,
  projectQuota,
  projectQuarantine,
  projectReview,
  projectDrift,
];

export interface ProjectContext {
  db: Database;
  project: AuthorizedProject;
  dailyEventsMax: number | null;
  /** Epoch ms. */
  now: number;
}

function outcomeMetric(name: string, counts: readonly OutcomeCount[], labels: Record<string, string>): Metric {
  return {
    name,
    help: 'Events by what became of them; accepted + duplicate + conflict + rejected is all that were answered.',
    type: 'counter',
    samples: counts.map(({ outcome, code, count }) => ({ labels: { ...labels, outcome, code }, value: count })),
  };
}

async function serviceOutcomes({ sql }: Database): Promise<Metric[]> {
  const counts = await sumOutcomesOf(sql, await listProjectIds(sql));
  return [outcomeMetric('readback_ingest_events_total', counts, {})];
}

async function projectOutcomes({ db, project }: ProjectContext): Promise<Metric[]> {
  const counts = await sumOutcomes(db.sql, project.id);
  return [outcomeMetric('readback_project_events_total', counts, { project: project.slug })];
}

async function projectQuota({ db, project, dailyEventsMax, now }: ProjectContext): Promise<Metric[]> {
  const labels = { project: project.slug };
  const today = await countAccepted(db.sql, project.id, new Date(now).toISOString().slice(0, 10));
  return [
    gauge('readback_project_events_today', 'New events of this day in UTC.', today, labels),
    ...(dailyEventsMax === null
      ? []
      : [gauge('readback_project_daily_events_max', 'New events that a day may bring.', dailyEventsMax, labels)]),
  ];
}

async function projectQuarantine({ db, project }: ProjectContext): Promise<Metric[]> {
  const kept = await countQuarantined(db.sql, project.id);
  const help = 'Events that could not be stored and are kept aside: defects of ours.';
  return [gauge('readback_project_quarantined_events', help, kept, { project: project.slug })];
}

async function projectReview({ db, project }: ProjectContext): Promise<Metric[]> {
  const { openReviews } = await getPulse({ db, project });
  const help = 'Review items that wait for a person.';
  return [gauge('readback_project_open_review_items', help, openReviews, { project: project.slug })];
}

async function projectDrift({ db, project }: ProjectContext): Promise<Metric[]> {
  const recount = await readRecount(db.sql, project.id);
  if (!recount || recount.drift === null || recount.finishedAt === null) return [];
  const labels = { project: project.slug };
  const { drift, finishedAt } = recount;
  return [
    gauge(
      'readback_project_rollup_drift_rows',
      'Rollup rows that differ from a recount: defects of ours.',
      drift,
      labels,
    ),
    gauge('readback_project_recounted_time_seconds', 'When that was, in Unix time.', finishedAt / 1_000, labels),
  ];
}
