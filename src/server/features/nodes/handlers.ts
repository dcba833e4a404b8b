import type { AgentCalls } from "../../../contract/agent.ts";
import type { CallAnswer, CallInput } from "../../../contract/call.ts";
import { CallError } from "../../../contract/client.ts";
import type { NodeStatus, PeerStatus } from "../../../contract/entities.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Handlers } from "../../http/handlers.ts";
import { Refusal } from "../../http/refusal.ts";
import { unfinishedOfAs } from "../deployments/tasks.ts";
import { desiredOfAs, type DesiredPeering, findDesired } from "../peerings/desired.ts";
import { noPeering } from "../peerings/submit.ts";
import type { Registry } from "../registry/registry.ts";
import { type Agents, NodeUnreachable } from "./agents.ts";
import { mapLinks } from "./map-links.ts";
import { type Deployment, presentObserved, presentUnobserved } from "./peer-status.ts";
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

/** Long enough for five pings that all time out. */
const slowQueryMs = 20_000;
/** What is shown of a node is at most this old, however many look. */
const freshMs = 1_000;
const statusTimeoutMs = 5_000;
const linksFreshMs = 5_000;

export function nodeHandlers({ db, profile, agents, limits, registry }: NodeDeps): Pick<Handlers, NodeCalls> {
  const observe = createSharedReads(
    (node) => agents.ask(node, "observe", undefined, { timeoutMs: statusTimeoutMs }),
    freshMs,
  );
  const health = createSharedReads(
    (node) => agents.ask(node, "health", undefined, { timeoutMs: statusTimeoutMs }),
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
      return presentUnobserved(node, "Not found", reason, deployment);
    } catch (error) {
      if (!(error instanceof NodeUnreachable)) throw error;
      return presentUnobserved(
        node,
        "Down",
        `${node} cannot be reached, so its state is not known.`,
        deployment,
      );
    }
  }

  /** Asks the node about one peering of the caller's, within the caller's limit of queries. */
  async function query<
    N extends
      | "details"
      | "checkBgp"
      | "restartBgp"
      | "receivedRoutes"
      | "refusedRoutes"
      | "advertisedRoutes"
      | "ping",
  >(asn: string, node: string, name: N, body: CallInput<AgentCalls[N]>): Promise<CallAnswer<AgentCalls[N]>> {
    if (!(await findDesired(db, asn, node))) throw noPeering(asn, node);
    return limits.run(asn, () =>
      agents.ask(node, name, body, { timeoutMs: slowQueryMs }).catch((error) => tellNode(error, node)),
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
    async getPeerDetails({ node }, { asn }) {
      const { wireguard, bgp } = await query(asn, node, "details", { asn });
      return { [node]: { wg_details: { output: wireguard }, bgp_details: { output: bgp } } };
    },
    troubleshootBGP: ({ node }, { asn }) => query(asn, node, "checkBgp", { asn }),
    async restartBGPPeer({ node }, { asn }) {
      const { ok, output } = await query(asn, node, "restartBgp", { asn });
      if (!ok)
        throw new Refusal(502, { message: "BIRD did not restart the sessions. They are as before.", output });
      return { output };
    },
    getPeerReceivedRoutes: ({ node }, { asn }) => query(asn, node, "receivedRoutes", { asn }),
    getPeerAdvertisedRoutes: ({ node }, { asn }) => query(asn, node, "advertisedRoutes", { asn }),
    getRefusedRoutes: async ({ node }, { asn }) =>
      presentRefused(node, await query(asn, node, "refusedRoutes", { asn }), registry),
    pingCheck: ({ node, addr_family: family }, { asn }) => query(asn, node, "ping", { asn, family }),
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
    return { status: "Down", uptime: "", load: "", issues: [`${node} cannot be reached.`] };
  }
}

function tellNode(error: unknown, node: string): never {
  if (error instanceof NodeUnreachable) {
    throw new Refusal(503, {
      message: `${node} cannot be reached. Nothing was changed; try again in a minute.`,
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
