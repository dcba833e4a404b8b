import { setTimeout as pause } from "node:timers/promises";
import { type Context, Hono } from "hono";
import type { AppContext } from "../../context.ts";
import { readAgentVersions } from "../../agents/node-facts.ts";
import { listConflictsByNode } from "../peerings/recovery/peering-conflicts.ts";
import { renderHealth, renderMetrics } from "./health-report.ts";

type HealthContext = Pick<
  AppContext,
  "db" | "profile" | "registry" | "registryClone" | "serverClock" | "agents" | "log"
>;

/** A stalled database must not make a process look dead. */
const databaseTimeoutMs = 2_000;

/** The server's health as text, and its metrics. Both respond when the database does not. */
export function healthRoutes(context: HealthContext): Hono {
  const { db, log } = context;

  async function readInTime<T>(reading: Promise<T>): Promise<T | null> {
    const timeout = new AbortController();
    const late = pause(databaseTimeoutMs, null, { signal: timeout.signal }).catch(() => null);
    const found = reading.catch((error: unknown) => {
      log.warn({ err: error }, "the state of the nodes could not be read from the database");
      return null;
    });
    try {
      return await Promise.race([found, late]);
    } finally {
      timeout.abort();
    }
  }

  const deps = {
    ...context,
    readConflicts: () => readInTime(listConflictsByNode(db)),
    readAgentVersions: () => readInTime(readAgentVersions(db)),
  };
  async function respondWithMetrics(request: Context): Promise<Response> {
    const { text, contentType } = await renderMetrics(deps);
    return request.body(text, 200, { "content-type": contentType });
  }

  return new Hono()
    .get("/healthz", (request) => renderHealth(deps).then((text) => request.text(text)))
    .get("/metrics", (request) => respondWithMetrics(request));
}
