/** Sent by a process manager, by Ctrl+C, and by a terminal that is closed. */
const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * A terminal sends Ctrl+C to npm and to the server, and npm passes it on to the server. A signal that follows the first
 * one within this time is a copy of it.
 */
const copiesMs = 1_000;

/** Calls `stop` at the first signal to stop. A further signal ends the process at once. */
export function onStopSignal(stop: () => void): void {
  let receivedAt: number | null = null;
  const receive = (signal: NodeJS.Signals) => {
    if (receivedAt === null) {
      receivedAt = performance.now();
      stop();
    } else if (performance.now() - receivedAt > copiesMs) {
      for (const each of stopSignals) process.off(each, receive);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of stopSignals) process.on(signal, receive);
}
