/** Nodes with scripted peerings, an observer without a timer, and what the server responds about their history. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { ObservedPeering } from "#contract/agent.ts";
import type { Transport } from "#contract/client.ts";
import { type PeeringHistory, shownHalfHours } from "#contract/history.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { findRouteFaults } from "#domain/findings/route-faults.ts";
import { decodePlot, decodeShares } from "#domain/plot.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { createLinkReader } from "#server/agents/node-links.ts";
import { createNodeReader } from "#server/agents/node-reader.ts";
import type { Profile } from "#server/config/profile.ts";
import { fixedNodes } from "#server/nodes/nodes.ts";
import { toProviderNode } from "#server/nodes/provider-node.ts";
import type { Db } from "#server/db/open.ts";
import { observationHandlers } from "#server/features/observations/handlers.ts";
import { observeNodes } from "#server/features/observations/observer.ts";
import { createLog } from "#server/log.ts";
import { openAsServer, type TestDatabase } from "../../support/databases.ts";
import { agentResponse } from "../../support/agent-response.ts";

export const asn = "4242420001";
export const minuteMs = 60_000;
/** Half past ten in the morning, UTC. */
export const start = Date.UTC(2026, 10, 25, 10, 30);

export interface Change {
  readonly asn?: string;
  readonly isUp?: boolean;
  readonly latencyMs?: number | null;
  readonly handshakeAgeSeconds?: number | null;
  readonly rxBytes?: number;
  readonly txBytes?: number;
  /** Since when the session is in its state, and its changes; by default the agent does not know it. */
  readonly stateAgeSeconds?: number;
  readonly changeAgesSeconds?: number[];
  readonly findings?: readonly Finding[];
  /** Accepted and refused routes; null if BIRD does not say. */
  readonly routes?: readonly [number, number] | null;
}

/** An observed peering, by default with everything in order. */
export function observed({
  asn: peer = asn,
  isUp = true,
  latencyMs = 12.5,
  handshakeAgeSeconds = 1,
  rxBytes = 0,
  txBytes = 0,
  routes = [2, 0],
  findings = [],
  ...ages
}: Change = {}): ObservedPeering {
  const counted = routes && {
    family: "IPv6" as const,
    received: routes[0] + routes[1],
    accepted: routes[0],
    refused: routes[1],
    exported: 640,
  };
  const state = isUp ? "Established" : "Active";
  const sessions: ObservedPeering["sessions"] = [
    { name: `dn42_${peer}_v6`, families: ["IPv6"], state, detail: "", routes: counted && [counted], ...ages },
  ];
  return {
    asn: peer,
    tunnel: {
      state: isUp ? "Up" : "Down",
      rxBytes,
      txBytes,
      handshakeAgeSeconds,
      latencyMs,
      lossPercent: null,
      endpoint: null,
    },
    bgpStatus: isUp ? "OK" : "Down",
    sessions,
    findings: [...findings, ...findRouteFaults(sessions)],
  };
}

/** What an agent responds to an observer, by path. */
export function observationResponses(
  peerings: readonly ObservedPeering[],
  {
    status = "OK",
    cpuPercent = 10,
    findings = [],
  }: {
    readonly status?: "OK" | "Issues";
    readonly cpuPercent?: number | null;
    readonly findings?: readonly Finding[];
  } = {},
): Readonly<Record<string, unknown>> {
  return {
    "/v1/health": { status, uptimeSeconds: 1, load: [0, 0, 0], findings, version: "" },
    "/v1/usage": { cpuPercent, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } },
    "/v1/observe": peerings,
    "/v1/links": [{ from: "de01", to: "ny01", status: "up", latencyMs: 10 }],
  };
}

/** Decodes the plots of a history, of the newest half hours. */
export function decodeHistory(history: PeeringHistory, newest: number) {
  const decode = (plot: PeeringHistory["latency"]) => plot && decodePlot(plot, shownHalfHours).slice(-newest);
  return {
    up: decodeShares(history.up).slice(-newest),
    latency: decode(history.latency),
    accepted: decode(history.accepted),
    refused: decode(history.refused),
    traffic: decode(history.traffic),
  };
}

export interface SceneOptions {
  readonly nodes?: readonly string[];
  readonly profile?: Partial<Pick<Profile, "nodes" | "publish">>;
}

export async function openScene(at: TestDatabase, { nodes = ["de01"], profile = {} }: SceneOptions = {}) {
  const database = await openAsServer(at, (error) => {
    throw error;
  });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const { db, locks } = database;
  let now = start;
  const clock = () => now;
  /** What each node reports; null: it does not respond. */
  const reported = new Map<string, readonly ObservedPeering[] | null>(nodes.map((node) => [node, []]));
  let cpuPercent: number | null = 10;
  let status: "OK" | "Issues" = "OK";
  let findings: readonly Finding[] = [];
  let rowsRead = 0;
  /** Rows since other work had a turn, and the most of them. */
  let rowsOfTurn = 0;
  let mostRowsOfTurn = 0;
  /** Requests to agents, and the most of them at the same time. */
  let inProgress = 0;
  let mostInProgress = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rowsRead += result.rows.length;
      if (rowsOfTurn === 0) setImmediate(() => (rowsOfTurn = 0));
      rowsOfTurn += result.rows.length;
      mostRowsOfTurn = Math.max(mostRowsOfTurn, rowsOfTurn);
      return result;
    },
  });
  const transportTo =
    (node: string): Transport =>
    async ({ path }) => {
      inProgress += 1;
      mostInProgress = Math.max(mostInProgress, inProgress);
      setImmediate(() => (inProgress -= 1));
      const peerings = reported.get(node);
      if (!peerings) throw new Error("connection refused");
      await nextTurn();
      return agentResponse(observationResponses(peerings, { status, cpuPercent, findings })[path]);
    };
  const agents = createAgentClient(new Map(nodes.map((node) => [node, transportTo(node)])));
  /** A server that has just started: it has nothing in memory. */
  const restart = () => ({
    observer: {
      db: counted,
      agents,
      nodeReader: createNodeReader(agents, { maxAgeMs: 0 }),
      locks,
      clock,
      retentionClock: clock,
      log: createLog("silent"),
      everyMs: minuteMs,
      onObserved: async () => undefined,
    },
    // New handlers each time, because handlers share reads for some seconds of real time.
    handlers: () =>
      observationHandlers({
        db,
        agents,
        nodes: fixedNodes((profile.nodes ?? []).map(toProviderNode)),
        clock,
        links: createLinkReader(agents),
        profile: { publish: { peerings: false, linkLatency: false }, ...profile },
      }),
  });
  let server = restart();
  return {
    db,
    restart: () => {
      server = restart();
    },
    now: clock,
    wait: (ms: number) => {
      now += ms;
    },
    report: (node: string, peerings: readonly ObservedPeering[] | null) => void reported.set(node, peerings),
    useCpu: (percent: number | null) => {
      cpuPercent = percent;
    },
    beHealthy: (isHealthy: boolean, found: readonly Finding[] = []) => {
      status = isHealthy ? "OK" : "Issues";
      findings = found;
    },
    /** Rows that the observer has read so far. */
    rowsRead: () => rowsRead,
    /** The most rows that it has read while no other work had a turn. */
    mostRowsOfTurn: () => mostRowsOfTurn,
    /** The most requests to agents that were in progress at the same time. */
    mostRequests: () => mostInProgress,
    observe: () => observeNodes(server.observer, new AbortController().signal),
    histories: (as = asn) =>
      Promise.resolve(server.handlers().getPeeringHistory({ username: as }, { asn: as } as never)),
    sessionChanges: () =>
      Promise.resolve(server.handlers().getSessionChanges({ username: asn }, { asn } as never)),
    summary: () => Promise.resolve(server.handlers().getNetworkSummary(undefined, undefined as never)),
    nodeHistory: () => Promise.resolve(server.handlers().getNodeHistories(undefined, undefined as never)),
    series: () => Promise.resolve(server.handlers().getNodeSeries(undefined, undefined as never)),
    traffic: () => Promise.resolve(server.handlers().getTrafficSeries({ username: asn }, { asn } as never)),
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** Observes these states a minute apart, the first one now. */
export async function observeEach(scene: Scene, node: string, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    scene.report(node, [observed(change)]);
    await scene.observe();
    scene.wait(minuteMs);
  }
}

/** Records peerings, which the nodes may or may not run. */
export async function recordPeerings(db: Db, nodes: readonly string[], as = asn): Promise<void> {
  const row = { generation: 1, revision: 1, present: 1, request: "{}", peering: "{}" };
  await db
    .insertInto("peerings")
    .values(
      nodes.map((node) => ({
        ...row,
        asn: as,
        node,
        listen_port: Number(as.slice(-5)),
        peer_ipv4: null,
        peer_ipv6: null,
        public_key: `key of ${as}`,
      })),
    )
    .execute();
}
