/**
 * Sends every node what its packet filter has to know of the other nodes: their own addresses and open services, as their
 * agents return them, and the tunnel addresses of their participants, from the database. Also where the provider's nodes and
 * servers are.
 *
 * Invariants: among all servers one does it at a time (the lock `other nodes`). An agent keeps what it has of a node until
 * the server sends something else of that node, or the node was removed: nothing is opened while a node cannot be
 * reached. A node receives only what differs from the versions that it returns.
 */
import { createHash } from "node:crypto";
import type { NodeExposure, OtherNode, ProviderAddresses } from "#contract/call-tables/other-node-calls.ts";
import { isLinkLocal, networkRanges } from "#domain/address-ranges.ts";
import type { PublicUrls } from "#domain/public-urls.ts";
import { contains, formatAddress, parseAddress } from "#domain/prefix.ts";
import { NodeUnreachableError, type AgentClient } from "../../agents/agent-client.ts";
import type { Profile } from "../../config/profile.ts";
import type { AppContext } from "../../context.ts";
import { yieldToOthers } from "../../db/bulk/slices.ts";
import type { Db } from "../../db/open.ts";
import { listProviderEndpoints } from "../../nodes/provider-endpoints.ts";
import { readServerAddresses } from "../../nodes/server-addresses.ts";
import type { ProviderNode } from "../../nodes/provider-node.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";

export type ShareNodesDeps = Pick<AppContext, "db" | "locks" | "log" | "nodes" | "clock"> & {
  readonly agents: AgentClient;
  readonly profile: Pick<Profile, "prefixes" | "strictSource"> & PublicUrls;
  readonly everyMs: number;
};

/** A node that knows nothing yet receives a megabyte with 20,000 peerings. */
const sendsAtOnce = 4;

/** What a node received last. */
interface Known {
  readonly versions: ReadonlyMap<string, string>;
  readonly strictSource: boolean;
  readonly providerVersion: string | null;
}

/** Creates the loop that informs the nodes now, when one becomes reachable, and every `everyMs`. */
export function createNodeSharing(deps: ShareNodesDeps): JobLoop {
  /** As the agents returned it last. */
  const exposures = new Map<string, NodeExposure>();
  const loop = createJobLoop({
    pollMs: deps.everyMs,
    run: ({ closing }) => deps.locks.tryExclusive("other nodes", () => shareNodes(deps, exposures, closing)),
    onError: (error) => deps.log.error({ err: error }, "informing the nodes of each other failed"),
  });
  return {
    ...loop,
    start() {
      deps.agents.onReachable(() => loop.signal());
      deps.nodes.onChange(() => loop.signal());
      loop.start();
    },
  };
}

async function shareNodes(
  deps: ShareNodesDeps,
  exposures: Map<string, NodeExposure>,
  signal: AbortSignal,
): Promise<void> {
  const { db, agents, nodes, profile } = deps;
  const known = new Map<string, Known>();
  await Promise.all(
    nodes.list().map(async (node) => {
      const answer = await ifReachable(() => agents.ask(node.name, "exposure", undefined, { signal }));
      if (answer === null) return;
      exposures.set(node.name, ownExposure(answer.own, node, profile));
      const versions = new Map(answer.known.map((one) => [one.node, one.version]));
      const { strictSource, providerVersion } = answer;
      known.set(node.name, { versions, strictSource, providerVersion });
    }),
  );
  for (const node of exposures.keys()) if (nodes.find(node) === null) exposures.delete(node);
  const described: OtherNode[] = [];
  for (const [node, exposure] of exposures) {
    described.push(describeNode(node, exposure, await readTunnels(db, node)));
    await yieldToOthers();
  }
  const provider = describeProvider(nodes.list(), await readServerAddresses(db), profile);
  const waiting = Array.from(known);
  const sendNext = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      await sendToNode(deps, next, { described, provider }, signal);
  };
  await Promise.all(Array.from({ length: sendsAtOnce }, sendNext));
}

async function sendToNode(
  { agents, nodes: all, profile, log }: ShareNodesDeps,
  [node, { versions, ...known }]: readonly [string, Known],
  { described, provider }: { readonly described: readonly OtherNode[]; readonly provider: ProviderAddresses },
  signal: AbortSignal,
): Promise<void> {
  const nodes = all.list().flatMap(({ name }) => (name === node ? [] : [name]));
  const changed = described.filter(
    (other) => other.node !== node && versions.get(other.node) !== other.version,
  );
  const { strictSource } = profile;
  const hasForgotten = Array.from(versions.keys()).some((name) => !nodes.includes(name));
  const isCurrent = strictSource === known.strictSource && provider.version === known.providerVersion;
  if (changed.length === 0 && !hasForgotten && isCurrent) return;
  const answer = await ifReachable(
    () => agents.ask(node, "setOtherNodes", { nodes, changed, strictSource, provider }, { signal }),
    // Without it, nothing would say that the node keeps what it has of the others.
    (error) => log.warn({ err: error, node }, "the node refused what the server told of the other nodes"),
  );
  if (answer !== null)
    log.info({ node, changed: changed.map((other) => other.node) }, "the node knows the other nodes");
}

/** Null if the node does not respond, which the calls of the others do not depend on. */
async function ifReachable<T>(
  call: () => Promise<T>,
  onRefused: (error: NodeUnreachableError) => void = () => undefined,
): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    if (error.hasResponded && !error.isBusy) onRefused(error);
    return null;
  }
}

/**
 * Only addresses that a node can have, in canonical text: a hostile agent must not cut off participants on other nodes. A
 * profile without prefixes of a family does not say which these are.
 */
function ownExposure(
  { addresses, services }: NodeExposure,
  { tunnelIpv4 }: ProviderNode,
  { prefixes }: Pick<Profile, "prefixes">,
): NodeExposure {
  const rangesOf = (bits: number) => {
    const own = prefixes.filter((range) => range.bits === bits);
    return own.length > 0 ? own : networkRanges;
  };
  return {
    addresses: addresses.flatMap((text) => {
      const address = parseAddress(text);
      if (!address) return [];
      const canonical = formatAddress(address);
      const isOwn = rangesOf(address.bits).some((range) => contains(range, address));
      return isOwn || canonical === tunnelIpv4 ? [canonical] : [];
    }),
    services: services.filter(({ address }) => address === undefined || parseAddress(address) !== null),
  };
}

/**
 * The participants' tunnel addresses on a node, without link-local ones. A participant who has only these is listed without
 * addresses, because probes of a participant with several tunnels may be replied to through another node.
 */
async function readTunnels(db: Db, node: string): Promise<OtherNode["tunnels"]> {
  const rows = await db
    .selectFrom("peerings")
    .select(["asn", "peer_ipv4", "peer_ipv6"])
    .where("node", "=", node)
    .orderBy("asn")
    .execute();
  return rows.map(({ asn, peer_ipv4: ipv4, peer_ipv6: ipv6 }) => {
    const addresses = [ipv4, ipv6].filter((address) => address !== null && !isLinkLocal(address));
    return { asn, addresses: addresses as string[] };
  });
}

function describeNode(node: string, exposure: NodeExposure, tunnels: OtherNode["tunnels"]): OtherNode {
  const values = { ...exposure, tunnels };
  return { node, version: versionOf(values), ...values };
}

function describeProvider(
  nodes: readonly ProviderNode[],
  servers: readonly string[],
  urls: PublicUrls,
): ProviderAddresses {
  const values = { endpoints: listProviderEndpoints(nodes, urls).toSorted(), servers: servers.toSorted() };
  return { version: versionOf(values), ...values };
}

function versionOf(values: object): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}
