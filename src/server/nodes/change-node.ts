/** The operator's changes of a node. */
import { isDeepStrictEqual } from "node:util";
import { noOrigin } from "../audit/audit-event.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { Db } from "../db/open.ts";
import { lockAllPeerings } from "../db/peering-locks.ts";
import { readNodes, replaceNode } from "./node-rows.ts";
import type { ProviderNode } from "./provider-node.ts";

export interface ChangeNodeDeps {
  readonly db: Db;
  readonly clock: () => number;
}

export interface ChangedNode {
  readonly before: ProviderNode;
  readonly after: ProviderNode;
}

/** The provider has no such node. */
export class UnknownNodeError extends Error {
  override readonly name = "UnknownNodeError";
  /** The names of the nodes that it has. */
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super("the provider has no such node");
    this.names = names;
  }
}

/**
 * Changes a node in a transaction beside which no submit runs, so that none relies on the node before. Without a difference,
 * nothing is written.
 *
 * @param change returns the node as it is to be, beside the provider's other nodes
 * @param afterChange writes in the same transaction what follows from the change
 * @throws {UnknownNodeError} without such a node, and what `change` throws; nothing is changed then
 */
export async function changeNode(
  { db, clock }: ChangeNodeDeps,
  name: string,
  change: (node: ProviderNode, others: readonly ProviderNode[]) => ProviderNode,
  afterChange: (tx: Db, changed: ChangedNode, now: number) => Promise<void> = async () => undefined,
): Promise<ChangedNode> {
  return db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    const nodes = await readNodes(tx);
    const before = nodes.find((node) => node.name === name);
    if (!before) throw new UnknownNodeError(nodes.map((node) => node.name));
    const after = change(
      before,
      nodes.filter((node) => node !== before),
    );
    const changed = { before, after };
    if (isDeepStrictEqual(before, after)) return changed;
    await replaceNode(tx, after);
    const now = clock();
    const detail = `${listChanges(changed).join("; ")}.`;
    await recordEvent(tx, { kind: "node-changed", asn: null, node: name, detail }, noOrigin, now);
    await afterChange(tx, changed, now);
    return changed;
  });
}

type Values = Readonly<Record<string, string | number | null>>;

/** Describes each changed value: "state: closed → open". */
export function listChanges({ before, after }: ChangedNode): readonly string[] {
  const [from, to] = [describeNode(before), describeNode(after)];
  return Object.entries(to)
    .filter(([label, value]) => value !== from[label])
    .map(([label, value]) => `${label}: ${from[label] ?? "none"} → ${value ?? "none"}`);
}

/** What is stored of a node, as the operator reads it. */
export function describeNode(node: ProviderNode): Values {
  const others = node.endpoints.filter((endpoint) => endpoint !== node.publicIp);
  return {
    state: node.state,
    limit: node.maxPeerings,
    place: node.place,
    coordinates: node.lat === null || node.lon === null ? null : `${node.lat},${node.lon}`,
    address: node.publicIp,
    "other endpoints": others.length === 0 ? null : others.join(", "),
    "tunnel IPv4": node.tunnelIpv4,
    "link-local IPv6": node.linkLocal,
    agent: node.agent?.url ?? null,
    "agent fingerprint": node.agent?.fingerprint ?? null,
  };
}

interface SharedValue {
  /** As a request to join names it. */
  readonly field: "publicIp" | "endpoints" | "tunnelIpv4" | "agentFingerprint" | "url";
  /** A sentence. */
  readonly message: string;
}

/** Returns which values another node has already. */
export function findSharedValues(
  { publicIp, endpoints, tunnelIpv4, agent }: Omit<ProviderNode, "linkLocal">,
  others: readonly ProviderNode[],
): readonly SharedValue[] {
  return others.flatMap(({ name, ...other }): readonly SharedValue[] => [
    ...endpoints
      .filter((endpoint) => other.endpoints.includes(endpoint))
      .map((endpoint) => ({
        field: endpoint === publicIp ? ("publicIp" as const) : ("endpoints" as const),
        message: `${name} has the address ${endpoint}.`,
      })),
    ...(tunnelIpv4 !== null && tunnelIpv4 === other.tunnelIpv4
      ? [{ field: "tunnelIpv4" as const, message: `${name} has the tunnel address ${tunnelIpv4}.` }]
      : []),
    ...(agent !== null && agent.fingerprint === other.agent?.fingerprint
      ? [{ field: "agentFingerprint" as const, message: `${name} has the agent with this fingerprint.` }]
      : []),
    ...(agent !== null && agent.url === other.agent?.url
      ? [{ field: "url" as const, message: `${name} has the agent at ${agent.url}.` }]
      : []),
  ]);
}
