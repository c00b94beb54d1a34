/** Ingestion tells the settler that something arrived, when both live in one process. */
export interface Wake {
  /** Something was touched; cheap, never throws. */
  notify: () => void;
  /** Resolves after the next `notify` (also one since the last wait), after `timeoutMs`, or when `signal` aborts. */
  wait: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
}

export function createWake(): Wake {
  let pending = false;
  let release: (() => void) | null = null;
  return {
    notify: () => {
      pending = true;
      release?.();
    },
    wait: (timeoutMs, signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          release = null;
          pending = false;
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        signal.addEventListener('abort', done);
        release = done;
        if (pending || signal.aborted) done();
      }),
  };
}
