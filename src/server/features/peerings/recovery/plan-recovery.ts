/**
 * Plans what the database has to take over from a node so that both agree. Nothing on the node changes. Only peerings
 * with a conflict are touched: the node's version replaces that of the database.
 */
import type { AgentCalls, Peering } from "#contract/agent.ts";
import type { CallResponse } from "#contract/call.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import { toPeeringRequest } from "#domain/peering/fields/peering-request.ts";
import type { DesiredPeering } from "../desired-peerings.ts";
import { listDifferences } from "../conflicts/peering-values.ts";

/** What an agent stores of one AS. */
export type StoredPeering = CallResponse<AgentCalls["peerings"]>[number];

export interface RecoveryInput {
  readonly node: string;
  /** The node's own link-local address: the side of a tunnel that the participant did not choose. */
  readonly linkLocal: string;
  readonly stored: readonly StoredPeering[];
  readonly desired: readonly DesiredPeering[];
  /** The AS numbers with a conflict. */
  readonly inConflict: ReadonlySet<string>;
  readonly deploying: ReadonlySet<string>;
  /** How many entries of the node's list are out of bounds, and not in `stored`. */
  readonly ignored: number;
}

export interface RecoveryPlan {
  readonly node: string;
  readonly add: readonly DesiredPeering[];
  readonly change: ReadonlyArray<{ readonly before: DesiredPeering; readonly after: DesiredPeering }>;
  /** Peerings of the database that were deleted on the node. */
  readonly remove: readonly DesiredPeering[];
  /** Every peering with a conflict that runs on the node, in its version. */
  readonly pair: ReadonlyArray<{ readonly asn: string; readonly generation: number }>;
  /** The AS numbers whose stored conflict ends with this plan. */
  readonly resolved: readonly string[];
  /** Peerings that the node runs as the database has them. */
  readonly unchanged: number;
  /** As in `RecoveryInput`. */
  readonly ignored: number;
  /** The newest generation that the node stores. */
  readonly newestGeneration: number;
  /** Why the plan cannot be applied, sentences; empty if it can. */
  readonly obstacles: readonly string[];
}

export function planRecovery(input: RecoveryInput): RecoveryPlan {
  const { node, stored, deploying } = input;
  const rows = new Map(input.desired.map((row) => [row.asn, row]));
  const conflicting = stored.filter(({ asn }) => input.inConflict.has(asn));
  const running = conflicting.flatMap((peering) => toDesired(peering, input) ?? []);
  const changed = running.flatMap((after) => {
    const before = rows.get(after.asn);
    return before && !isSame(before, after) ? [{ before, after }] : [];
  });
  const remove = conflicting.flatMap(({ asn, peering }) => (peering === null ? (rows.get(asn) ?? []) : []));
  const kept = input.desired.filter(({ asn }) => !input.inConflict.has(asn));
  return {
    node,
    add: running.filter(({ asn }) => !rows.has(asn)),
    change: changed,
    remove,
    pair: running.map(({ asn, generation }) => ({ asn, generation })),
    resolved: [...input.inConflict],
    unchanged: stored.filter(({ asn, peering }) => peering !== null && !input.inConflict.has(asn)).length,
    ignored: input.ignored,
    newestGeneration: stored.reduce((newest, { generation }) => Math.max(newest, generation), 0),
    obstacles: [
      ...[...input.inConflict]
        .filter((asn) => deploying.has(asn))
        .map((asn) => `A deployment of AS${asn} is running. Wait for it to finish.`),
      ...running.flatMap((peering) => kept.flatMap((other) => describeSharedValue(peering, other) ?? [])),
    ],
  };
}

function toDesired(
  { asn, generation, peering, hasPresharedKey }: StoredPeering,
  { node, linkLocal }: Pick<RecoveryInput, "node" | "linkLocal">,
): DesiredPeering | null {
  if (peering === null) return null;
  const request = toPeeringRequest(
    peering,
    peering.localIpv6 === linkLocal ? null : peering.localIpv6,
    hasPresharedKey ? "unknown" : null,
  );
  return { asn, node, generation, revision: generation, present: true, request, peering };
}

function hasKey({ request }: DesiredPeering): boolean {
  return request.presharedKey !== null;
}

function isSame(before: DesiredPeering, after: DesiredPeering): boolean {
  const isEqual = listDifferences(before.peering, after.peering).length === 0;
  return (
    isEqual && hasKey(before) === hasKey(after) && before.present && before.generation === after.generation
  );
}

const uniqueValues = [
  ["UDP port", "listenPort"],
  ["tunnel address", "peerIpv4"],
  ["tunnel address", "peerIpv6"],
  ["public key", "publicKey"],
] as const satisfies ReadonlyArray<readonly [string, keyof Peering]>;

function describeSharedValue(recovered: DesiredPeering, other: DesiredPeering): string | null {
  for (const [name, key] of uniqueValues) {
    const value = recovered.peering[key];
    if (value === null || value !== other.peering[key] || isLinkLocal(String(value))) continue;
    return (
      `AS${recovered.asn} on the node and AS${other.asn} in the database use the same ${name}, ${value}. ` +
      `Delete the peering of AS${other.asn} first, or remove that of AS${recovered.asn} from the node.`
    );
  }
  return null;
}
