import { setTimeout as pause } from "node:timers/promises";
import type { AppContext } from "../../context.ts";
import { readDatabaseIdentity } from "../../db/database-identity.ts";

/**
 * `warning`: the server works, but an operator should look. `read-only`: the database can be read, and nothing can be
 * saved. `unknown`: the check itself failed.
 */
export interface Check {
  readonly status: "ok" | "warning" | "read-only" | "unavailable" | "unknown";
  /** Days since the registry was last fetched; null if unknown. */
  readonly ageDays?: number | null;
  /** How long the oldest message has been waiting. */
  readonly oldestSeconds?: number;
}

export interface Readiness {
  /** `unavailable`: the database cannot be read. `degraded`: any other check is not ok. */
  readonly status: "ok" | "degraded" | "unavailable";
  readonly checks: Readonly<Record<"database" | "dataDir" | "registry" | "mail" | "push", Check>>;
}

export type ReadinessContext = Pick<
  AppContext,
  "db" | "storage" | "registry" | "mailOutbox" | "pushOutbox" | "clock" | "log"
>;

/** Load balancers usually wait five seconds. */
const timeoutMs = 2_000;
/** Retries after a short outage of a mail server or push service are over by then. */
const maxWaitingMs = 15 * 60_000;

/** Creates the function that checks what the server depends on. Simultaneous callers share one run. */
export function createReadinessCheck(context: ReadinessContext): () => Promise<Readiness> {
  const { db, storage, registry, mailOutbox, pushOutbox, clock, log } = context;
  let current: Promise<Readiness> | null = null;

  const isTooOld = (at: number | null) => at !== null && clock() - at > maxWaitingMs;

  async function checkWaiting(findOldest: () => Promise<number | null>): Promise<Check> {
    const oldest = await findOldest();
    const waitingMs = oldest === null ? 0 : Math.max(0, clock() - oldest);
    return { status: isTooOld(oldest) ? "warning" : "ok", oldestSeconds: Math.round(waitingMs / 1000) };
  }

  /** A mailed link leaves the queue after an hour, so a fault of the mail server can outlast the mails that wait. */
  async function checkMail(): Promise<Check> {
    const waiting = await checkWaiting(() => mailOutbox.findOldestWaiting());
    return isTooOld(mailOutbox.readFault()?.since ?? null) ? { ...waiting, status: "warning" } : waiting;
  }

  /** Runs a check with the time limit. Its error is only logged, because it may contain addresses. */
  async function run(name: string, failed: Check["status"], check: () => Promise<Check>): Promise<Check> {
    const timeout = new AbortController();
    try {
      const late = pause(timeoutMs, null, { signal: timeout.signal }).catch(() => null);
      return (await Promise.race([check(), late])) ?? { status: failed };
    } catch (error) {
      log.warn({ err: error, check: name }, "a readiness check failed");
      return { status: failed };
    } finally {
      timeout.abort();
    }
  }

  async function runAll(): Promise<Readiness> {
    const [reading, writeFault, folderFault, age, mail, push] = await Promise.all([
      run("database", "unavailable", async () => {
        await readDatabaseIdentity(db);
        return { status: "ok" };
      }),
      storage.checkDatabase(),
      storage.checkDataFolder(),
      run("registry", "unknown", async () => {
        const { days, stale } = await registry.readAge();
        return { status: stale ? "warning" : "ok", ageDays: days };
      }),
      run("mail", "unknown", checkMail),
      run("push", "unknown", () => checkWaiting(() => pushOutbox.findOldestWaiting())),
    ]);
    // Not 503: no other server could save anything, and this one can be read (decision 24).
    const isReadOnly = reading.status === "ok" && writeFault !== null;
    const database: Check = isReadOnly ? { status: "read-only" } : reading;
    const dataDir: Check = { status: folderFault === null ? "ok" : "warning" };
    const checks = { database, dataDir, registry: age, mail, push };
    const isWell = Object.values(checks).every(({ status }) => status === "ok");
    return { status: reading.status !== "ok" ? "unavailable" : isWell ? "ok" : "degraded", checks };
  }

  return () => {
    current ??= runAll().finally(() => {
      current = null;
    });
    return current;
  };
}
