import type { AgentCalls } from "../../../contract/agent.ts";
import type { CallAnswer, CallInput } from "../../../contract/call.ts";
import { CallError } from "../../../contract/client.ts";
import type { NodeStatus, PeerStatus } from "../../../contract/entities.ts";
import { nodeReadMs, routerQueryMs } from "../../../contract/patience.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Handlers, SignedInExchange } from "../../http/handlers.ts";
import { Refusal } from "../../http/refusal.ts";
import { unfinishedOfAs } from "../deployments/tasks.ts";
import { desiredOfAs, type DesiredPeering, findDesired } from "../peerings/desired.ts";
import { noPeering } from "../peerings/submit.ts";
import type { Registry } from "../registry/registry.ts";
import { AgentOutdated, type Agents, NodeUnreachable } from "./agents.ts";
import { mapLinks } from "./map-links.ts";
import { type Deployment, presentNotRun, presentObserved, presentUnknown } from "./peer-status.ts";
import type { QueryLimits } from "./query-limits.ts";
import { presentRefused } from "./refused-routes.ts";
import { createSharedReads } from "./shared-reads.ts";
import { formatUptime } from "./units.ts";

type NodeCalls =
  | "mapVPNStatus"
  | "getPeerStatus"
  | "getNodeStatus"
  | "getPeerDetails"
  | "troubleshootBGP"
  | "restartBGPPeer"
  | "getPeerReceivedRoutes"
  | "getPeerAdvertisedRoutes"
  | "getRefusedRoutes"
  | "pingCheck";

export interface NodeDeps {
  readonly db: Db;
  readonly profile: Profile;
  readonly agents: Agents;
  readonly limits: QueryLimits;
  readonly registry: Pick<Registry, "evidence">;
}

/** What is shown of a node is at most this old, however many look. */
const freshMs = 1_000;
const linksFreshMs = 5_000;

export function nodeHandlers({ db, profile, agents, limits, registry }: NodeDeps): Pick<Handlers, NodeCalls> {
  const observe = createSharedReads(
    (node) => agents.ask(node, "observe", undefined, { timeoutMs: nodeReadMs }),
    freshMs,
  );
  const health = createSharedReads(
    (node) => agents.ask(node, "health", undefined, { timeoutMs: nodeReadMs }),
    freshMs,
  );
  const links = createSharedReads(() => mapLinks(agents), linksFreshMs);

  async function peerStatus(desired: DesiredPeering, deployment: Deployment): Promise<PeerStatus> {
    const { asn, node } = desired;
    try {
      const observed = (await observe(node)).find((peering) => peering.asn === asn);
      if (observed) return presentObserved(node, observed, deployment);
      const reason = deployment
        ? "The deployment has not ended yet."
        : `${node} does not run this peering yet.`;
      return presentNotRun(node, reason, deployment);
    } catch (error) {
      if (!(error instanceof NodeUnreachable)) throw error;
      return presentUnknown(node, deployment);
    }
  }

  /** Asks the node about one peering of the caller's, within the caller's limit of queries, until the caller leaves. */
  async function query<
    N extends
      | "details"
      | "checkBgp"
      | "restartBgp"
      | "receivedRoutes"
      | "refusedRoutes"
      | "advertisedRoutes"
      | "ping",
  >(
    { asn, signal }: SignedInExchange,
    node: string,
    name: N,
    body: CallInput<AgentCalls[N]>,
  ): Promise<CallAnswer<AgentCalls[N]>> {
    if (!(await findDesired(db, asn, node))) throw noPeering(asn, node);
    return limits.run(asn, () =>
      agents
        .ask(node, name, body, { timeoutMs: routerQueryMs, signal })
        .catch((error) => tellNode(error, node)),
    );
  }

  return {
    mapVPNStatus: async () => links(""),
    async getPeerStatus(_body, { asn }) {
      const [desired, tasks] = await Promise.all([desiredOfAs(db, asn), unfinishedOfAs(db, asn)]);
      const deployments = new Map(tasks.map(({ id, kind, node }) => [node, { taskID: id, kind }]));
      return Promise.all(
        desired.map((peering) => peerStatus(peering, deployments.get(peering.node) ?? null)),
      );
    },
    async getNodeStatus({ node }) {
      if (!profile.nodes.some(({ name }) => name === node)) {
        throw new Refusal(404, { message: "There is no such node.", field: "node" });
      }
      return { results: await nodeStatus(node, health) };
    },
    async getPeerDetails({ node }, exchange) {
      const { wireguard, bgp } = await query(exchange, node, "details", { asn: exchange.asn });
      return { [node]: { wg_details: { output: wireguard }, bgp_details: { output: bgp } } };
    },
    troubleshootBGP: ({ node }, exchange) => query(exchange, node, "checkBgp", { asn: exchange.asn }),
    async restartBGPPeer({ node }, exchange) {
      const { ok, output } = await query(exchange, node, "restartBgp", { asn: exchange.asn });
      if (!ok)
        throw new Refusal(502, { message: "BIRD did not restart the sessions. They are as before.", output });
      return { output };
    },
    getPeerReceivedRoutes: ({ node }, exchange) =>
      query(exchange, node, "receivedRoutes", { asn: exchange.asn }),
    getPeerAdvertisedRoutes: ({ node }, exchange) =>
      query(exchange, node, "advertisedRoutes", { asn: exchange.asn }),
    getRefusedRoutes: async ({ node }, exchange) =>
      presentRefused(node, await query(exchange, node, "refusedRoutes", { asn: exchange.asn }), registry),
    pingCheck: ({ node, addr_family: family }, exchange) =>
      query(exchange, node, "ping", { asn: exchange.asn, family }),
  };
}

async function nodeStatus(
  node: string,
  health: (node: string) => Promise<CallAnswer<AgentCalls["health"]>>,
): Promise<NodeStatus> {
  try {
    const { status, uptimeSeconds, load, issues } = await health(node);
    const loadText = load.map((average) => average.toFixed(2)).join(", ");
    return { status, uptime: formatUptime(uptimeSeconds), load: loadText, issues };
  } catch (error) {
    if (!(error instanceof NodeUnreachable)) throw error;
    const issue = error instanceof AgentOutdated ? outdated : error.fault;
    return { status: "Down", uptime: "", load: "", issues: [issue] };
  }
}

const outdated =
  "This node's agent is older than the server and cannot tell this yet. Contact support, so that it is updated.";

function tellNode(error: unknown, node: string): never {
  if (error instanceof AgentOutdated) {
    throw new Refusal(503, { message: `${outdated} Nothing was changed.` });
  }
  if (error instanceof NodeUnreachable) {
    throw new Refusal(503, {
      message: `${error.fault} Nothing was changed; try again in a minute.`,
    });
  }
  if (error instanceof CallError && error.status === 404) {
    throw new Refusal(404, {
      message: `${node} does not run this peering yet. Wait for its deployment to end.`,
      field: "node",
    });
  }
  throw error;
}
