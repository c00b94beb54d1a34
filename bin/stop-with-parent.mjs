/** How soon an orphan notices; of the ten seconds that a stop may take. */
const PARENT_LOOK_MS = 250;

/**
 * Ends this process, as by SIGTERM, when the one that started it is gone. npm starts us through a shell: a SIGTERM for
 * npm ends npm and the shell, and where the shell stays in between it never reaches us. That we were left alone is the
 * only word of it.
 */
export function stopWithParent() {
  // There an orphan keeps the id of its parent, and nothing sends a SIGTERM anyway.
  if (process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_LOOK_MS);
  watch.unref();
}
