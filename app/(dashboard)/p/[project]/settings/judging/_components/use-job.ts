import { useEffect, useState } from 'react';
import { askJob, cancelJob, type JobWire } from './settings-api';

/** Often enough that the bar moves, seldom enough to cost nothing. */
const ASK_EVERY_MS = 1_000;

export interface JobWatch {
  job: JobWire | null;
  going: boolean;
  /** The last question got no answer; it is asked again. */
  lost: boolean;
  /** The wish to cancel was refused. */
  cancelFailed: boolean;
  watch: (job: JobWire | null) => void;
  cancel: () => Promise<void>;
}

function isGoing(job: JobWire | null): boolean {
  return job?.state === 'queued' || job?.state === 'running';
}

/** Follows one background job until it ends. */
export function useJob(slug: string, first: JobWire | null): JobWatch {
  const [job, setJob] = useState(first);
  const [lost, setLost] = useState(false);
  const [cancelFailed, setCancelFailed] = useState(false);
  const id = job?.id ?? null;
  const going = isGoing(job);
  useEffect(() => {
    if (id === null || !going) return;
    let over = false;
    const ask = async (): Promise<void> => {
      const answer = await askJob(slug, id);
      if (over) return;
      setLost(answer.kind !== 'done');
      if (answer.kind === 'done') setJob(answer.value);
    };
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [slug, id, going]);
  const cancel = async (): Promise<void> => {
    if (id === null) return;
    const answer = await cancelJob(slug, id);
    setCancelFailed(answer.kind !== 'done' && answer.kind !== 'stale');
    if (answer.kind === 'done') setJob(answer.value);
  };
  const watch = (next: JobWire | null): void => {
    setLost(false);
    setCancelFailed(false);
    setJob(next);
  };
  return { job, going, lost, cancelFailed, watch, cancel };
}
