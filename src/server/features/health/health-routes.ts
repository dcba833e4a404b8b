import { setTimeout as pause } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { describeToOperator, readFindings } from "#domain/findings/findings.ts";
import { isFromOwnHost } from "../../api/client-address.ts";
import type { AppContext } from "../../context.ts";
import { readAgentVersions } from "../../agents/node-facts.ts";
import { listConflictsByNode } from "../peerings/conflicts/peering-conflicts.ts";
import { findWithoutAccount } from "../peerings/desired-peerings.ts";
import { findRemovedNodes } from "../peerings/removed-nodes/find-removed-nodes.ts";
import { renderHealth, renderMetrics } from "./health-report.ts";

type HealthContext = Pick<
  AppContext,
  | "db"
  | "profile"
  | "registry"
  | "registryClone"
  | "clockJumps"
  | "agents"
  | "nodeReader"
  | "mailOutbox"
  | "log"
>;

/** A node that does not respond must not delay the server's health. */
const nodeTimeoutMs = 1_000;
/** A stalled database must not make a process look dead. */
const databaseTimeoutMs = 2_000;

/** The server's health as text, and its metrics. Both respond when the database does not. */
export function healthRoutes(context: HealthContext): Hono {
  const { db, log, nodeReader } = context;

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

  async function readNodeIssues(): Promise<ReadonlyMap<string, readonly string[]>> {
    const readings = nodeReader.nodes.map(async (node) => {
      const { findings } = await nodeReader.read(node, "health", { timeoutMs: nodeTimeoutMs });
      return [node, readFindings(findings).map(describeToOperator)] as const;
    });
    const settled = await Promise.allSettled(readings);
    return new Map(settled.flatMap((reading) => (reading.status === "fulfilled" ? [reading.value] : [])));
  }

  const deps = {
    ...context,
    readNodeIssues,
    readConflicts: () => readInTime(listConflictsByNode(db)),
    readWithoutAccount: () => readInTime(findWithoutAccount(db)),
    readRemovedNodes: () => readInTime(findRemovedNodes(db, context.profile)),
    readAgentVersions: () => readInTime(readAgentVersions(db)),
  };
  async function respondWithMetrics(request: Context): Promise<Response> {
    const { text, contentType } = await renderMetrics(deps);
    return request.body(text, 200, { "content-type": contentType });
  }

  return new Hono()
    .get("/healthz", (request) =>
      renderHealth(deps, isFromOwnHost(request)).then((text) => request.text(text)),
    )
    .get("/metrics", (request) => respondWithMetrics(request));
}
