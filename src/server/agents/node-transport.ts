/**
 * The connections to a node's agent.
 *
 * Invariant: each kind of calls has connections of its own. Whatever participants query, changes and observations do not
 * wait for it.
 */
import { type AgentCalls, agentCalls } from "../../contract/agent.ts";
import {
  createPinnedTransport,
  type PinnedTransport,
  type PinnedTransportOptions,
} from "../../mtls/pinned-transport.ts";

type CallKind = "changes" | "progress" | "observations" | "queries" | "roundTrips";

const kindOf: Readonly<Record<keyof AgentCalls, CallKind>> = {
  apply: "changes",
  pair: "changes",
  setOtherNodes: "changes",
  addNodeKey: "changes",
  removeNodeKey: "changes",
  progress: "progress",
  generations: "progress",
  peerings: "progress",
  facts: "progress",
  events: "progress",
  exposure: "progress",
  observe: "observations",
  observePeering: "observations",
  health: "observations",
  usage: "observations",
  links: "observations",
  inUse: "observations",
  details: "queries",
  checkBgp: "queries",
  restartBgp: "queries",
  receivedRoutes: "queries",
  refusedRoutes: "queries",
  advertisedRoutes: "queries",
  ping: "queries",
  roundTrip: "roundTrips",
};

/** How many queries of participants a node runs for one server at the same time. */
export const maxNodeQueries = 8;

const maxConnections: Readonly<Record<CallKind, number>> = {
  changes: 8,
  progress: 4,
  observations: 4,
  queries: maxNodeQueries,
  roundTrips: 4,
};

/** Whether participants cause the call, and its duration says nothing about the node. */
export function isQuery(name: keyof AgentCalls): boolean {
  return kindOf[name] === "queries" || kindOf[name] === "roundTrips";
}

/** Whether the call changes what the node runs, or who may change it. */
export function isChange(name: keyof AgentCalls): boolean {
  return kindOf[name] === "changes" || name === "restartBgp";
}

/** Creates the transport to a node's agent. Rejects like `createPinnedTransport`. */
export function createNodeTransport(options: PinnedTransportOptions): PinnedTransport {
  const open = (kind: CallKind) =>
    createPinnedTransport({ ...options, maxConnections: maxConnections[kind] });
  const transports: Readonly<Record<CallKind, PinnedTransport>> = {
    changes: open("changes"),
    progress: open("progress"),
    observations: open("observations"),
    queries: open("queries"),
    roundTrips: open("roundTrips"),
  };
  const names = Object.keys(agentCalls) as Array<keyof AgentCalls>;
  const byPath = new Map<string, PinnedTransport>(
    names.map((name) => [agentCalls[name].path, transports[kindOf[name]]]),
  );
  const transport: PinnedTransport = Object.assign(
    async (request: Parameters<PinnedTransport>[0]) => {
      const chosen = byPath.get(request.path);
      if (!chosen) throw new Error(`the agent has no call ${request.path}`);
      return chosen(request);
    },
    {
      [Symbol.asyncDispose]: async () => {
        for (const each of Object.values(transports)) await each[Symbol.asyncDispose]();
      },
    },
  );
  return transport;
}
