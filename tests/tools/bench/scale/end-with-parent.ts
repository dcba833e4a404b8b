/** Ends this process when the benchmark has ended without ending it, for example because it was killed. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, 1_000).unref();
}
