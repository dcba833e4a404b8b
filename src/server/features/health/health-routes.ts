import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import { describeToOperator, readFindings } from "#domain/findings/findings.ts";
import { isFromOwnHost } from "../../api/client-address.ts";
import type { AppContext } from "../../context.ts";
import { readAgentVersions } from "../../agents/node-facts.ts";
import { listConflictsByNode } from "../peerings/conflicts/peering-conflicts.ts";
import type { ListeningServer } from "#system/listen.ts";
import { serveMetrics } from "#system/metrics-server.ts";
import { findWithoutAccount } from "../peerings/desired-peerings.ts";
import { findRemovedNodes } from "../peerings/removed-nodes/find-removed-nodes.ts";
import { listPendingRemovals } from "../peerings/removed-nodes/pending-removals.ts";
import { type HealthDeps, renderHealth, renderMetrics } from "./health-report.ts";
import { listStorageIssues } from "./storage-issues.ts";

type HealthContext = Pick<
  AppContext,
  | "db"
  | "storage"
  | "profile"
  | "registry"
  | "registryClone"
  | "clock"
  | "clockJumps"
  | "agents"
  | "nodeReader"
  | "nodes"
  | "mailOutbox"
  | "joinAttempts"
  | "log"
>;

/** A node that does not respond must not delay the server's health. */
const nodeTimeoutMs = 1_000;
/** A stalled database must not make a process look dead. */
const databaseTimeoutMs = 2_000;

/** Health and metrics respond when the database does not. */
function createHealthDeps(context: HealthContext): HealthDeps {
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
    const readings = nodeReader.listNodes().map(async (node) => {
      const { findings } = await nodeReader.read(node, "health", { timeoutMs: nodeTimeoutMs });
      return [node, readFindings(findings).map(describeToOperator)] as const;
    });
    const settled = await Promise.allSettled(readings);
    return new Map(settled.flatMap((reading) => (reading.status === "fulfilled" ? [reading.value] : [])));
  }

  return {
    ...context,
    readNodeIssues,
    readStorageIssues: () => listStorageIssues(context.storage),
    readConflicts: () => readInTime(listConflictsByNode(db)),
    readWithoutAccount: () => readInTime(findWithoutAccount(db)),
    readRemovedNodes: () => readInTime(findRemovedNodes(db)),
    readPendingRemovals: () => readInTime(listPendingRemovals(db)),
    readAgentVersions: () => readInTime(readAgentVersions(db)),
  };
}

/** The server's health as text. */
export function healthRoutes(context: HealthContext): Hono {
  const deps = createHealthDeps(context);
  return new Hono()
    .get("/healthz", (request) =>
      renderHealth(deps, isFromOwnHost(request)).then((text) => request.text(text)),
    )
    .get("/metrics", (request) =>
      request.text("The metrics have an address of their own: see METRICS_HOST and METRICS_PORT.\n", 404),
    );
}

/** Serves the server's metrics on a listener of their own. */
export async function serveServerMetrics(
  context: HealthContext,
  address: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  const deps = createHealthDeps(context);
  const server = await serveMetrics(address, () => renderMetrics(deps));
  context.log.info(
    { address: server.address.address, port: server.address.port },
    "metrics server listening",
  );
  return server;
}
