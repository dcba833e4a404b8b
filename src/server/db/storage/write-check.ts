import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { createSingleFlight } from "#domain/concurrency/single-flight.ts";
import { isFullError, isReadOnlyError } from "../unavailable.ts";

/** Why nothing can be written. `late`: the write takes too long. `failed`: another reason. */
export type WriteFault = "full" | "read-only" | "late" | "failed";

/** Writes, and returns why that is impossible; null if it is possible. Never rejects. */
export type WriteCheck = () => Promise<WriteFault | null>;

export interface WriteCheckOptions {
  /** What is written, for the log. */
  readonly name: string;
  /** A small write whose space is freed again. */
  readonly write: () => Promise<void>;
  readonly log: Pick<Logger, "error" | "info">;
}

/** So many callers cost as little as one. */
const maxAgeMs = 3_000;
/** Load balancers usually wait five seconds. */
const timeoutMs = 2_000;

/** Creates a check whose result serves further callers for three seconds. Only changes of the result are logged. */
export function createWriteCheck({ name, write, log }: WriteCheckOptions): WriteCheck {
  let isWritable = true;
  /** The write that runs, which may take longer than the check: there is at most one. */
  let running: Promise<void> | null = null;

  function note(fault: WriteFault | null, error?: unknown): WriteFault | null {
    const was = isWritable;
    isWritable = fault === null;
    if (was && fault !== null) log.error({ err: error, fault }, `${name} cannot be written`);
    if (!was && fault === null) log.info(`${name} can be written again`);
    return fault;
  }

  async function check(): Promise<WriteFault | null> {
    const timeout = new AbortController();
    running ??= write().finally(() => {
      running = null;
    });
    try {
      const late = pause(timeoutMs, "late" as const, { signal: timeout.signal });
      late.catch(() => undefined);
      const isLate = (await Promise.race([running, late])) === "late";
      return note(isLate ? "late" : null);
    } catch (error) {
      return note(isFullError(error) ? "full" : isReadOnlyError(error) ? "read-only" : "failed", error);
    } finally {
      timeout.abort();
    }
  }

  const flight = createSingleFlight(check, { maxAgeMs, now: () => performance.now(), ageFrom: "end" });
  return () => flight.get();
}
