import { sql } from "kysely";
import type { PublicPeering, ValuesInUse } from "#contract/agent.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import { allocatePort } from "#domain/peering/allocation.ts";
import type { ValidValues } from "#domain/peering/check-peer-update.ts";
import type { TakenValues } from "#domain/peering/complete-peering.ts";
import type { Db } from "../../db/open.ts";
import type { DesiredPeering } from "./desired-peerings.ts";
import { listConflictsOnNode } from "./conflicts/peering-conflicts.ts";

/**
 * Returns the values of a request that other ASes use on the node, and its public key if they use it on any node. These
 * values count as used, too: values that an unfinished deployment of another AS would restore, values of peerings that
 * only the node knows, and values that other programs on the node use (`inUse`). Link-local addresses are no such values.
 *
 * Every query of peerings looks up single values in an index, so its cost does not depend on their number.
 */
export async function findTakenByOthers(
  tx: Db,
  node: string,
  request: ValidValues,
  inUse: ValuesInUse,
): Promise<TakenValues> {
  const { asn, publicKey, peerIpv4, peerIpv6, probeAddress = null } = request;
  const others = peeringsOfOthers(tx, asn);
  const onNode = others.where("node", "=", node);
  const restorable = await findRestorable(tx, asn);
  const unrecorded = await findUnrecorded(tx, asn, node);
  const usedHere = [
    ...restorable.filter((peering) => peering.node === node).map(({ peering }) => peering),
    ...unrecorded,
  ];

  const keys =
    publicKey === null
      ? []
      : await others.select("public_key").where("public_key", "=", publicKey).limit(1).execute();
  const ipv4 =
    peerIpv4 === null
      ? []
      : await onNode.select("peer_ipv4").where("peer_ipv4", "=", peerIpv4).limit(1).execute();
  const probed = await findTunnelAddress(onNode, probeAddress);
  const ipv6 =
    peerIpv6 === null || isLinkLocal(peerIpv6)
      ? []
      : await onNode.select("peer_ipv6").where("peer_ipv6", "=", peerIpv6).limit(1).execute();
  const addresses = [
    ...usedHere.flatMap(({ peerIpv4: v4, peerIpv6: v6 }) => [v4, v6]),
    ...ipv4.map(({ peer_ipv4 }) => peer_ipv4),
    ...ipv6.map(({ peer_ipv6 }) => peer_ipv6),
    ...probed,
    ...inUse.addresses,
  ].filter((address) => address !== null);
  const ports = await collectTaken(
    new Set([...usedHere.map(({ listenPort }) => listenPort), ...inUse.ports]),
    (taken) => allocatePort(asn, taken),
    async (candidates) => {
      const rows = await onNode.select("listen_port").where("listen_port", "in", candidates).execute();
      return rows.map(({ listen_port }) => listen_port);
    },
  );
  return {
    ports,
    peerAddresses: new Set(addresses.filter((address) => !isLinkLocal(address))),
    publicKeys: new Set([
      ...keys.map(({ public_key }) => public_key),
      ...restorable.map(({ peering }) => peering.publicKey),
      ...unrecorded.map(({ publicKey: key }) => key),
    ]),
  };
}

function peeringsOfOthers(tx: Db, asn: string) {
  return tx.selectFrom("peerings").where("asn", "!=", asn);
}

/** The address if it is the tunnel address of a participant among these peerings. */
async function findTunnelAddress(
  onNode: ReturnType<typeof peeringsOfOthers>,
  address: string | null,
): Promise<readonly string[]> {
  if (address === null) return [];
  const column = address.includes(":") ? "peer_ipv6" : "peer_ipv4";
  const found = await onNode.select("asn").where(column, "=", address).limit(1).executeTakeFirst();
  return found ? [address] : [];
}

/** What the unfinished deployments of other ASes restore if they fail. */
async function findRestorable(tx: Db, asn: string): Promise<readonly DesiredPeering[]> {
  const rows = await tx
    .selectFrom("tasks")
    .select("previous")
    // A literal, because SQLite does not use the partial index of unfinished tasks for a parameter.
    .where("status", "=", sql.lit("waiting"))
    .where("asn", "!=", asn)
    .execute();
  return rows.flatMap(({ previous }) => (previous === null ? [] : (JSON.parse(previous) as DesiredPeering)));
}

/** The peerings of other ASes on the node of which the database has no or an older version. */
async function findUnrecorded(tx: Db, asn: string, node: string): Promise<readonly PublicPeering[]> {
  const conflicts = await listConflictsOnNode(tx, node);
  return conflicts.flatMap((conflict) =>
    conflict.asn === asn || conflict.peering === null ? [] : [conflict.peering],
  );
}

/** The first query looks up this many candidates; each further one twice as many. */
const firstCandidates = 4;
const maxCandidates = 1_024;

/**
 * Adds to `known` the candidates that are taken, in the order of `nextCandidate`, until one is free. So
 * `nextCandidate` chooses from the result as it would from the values of all peerings.
 */
async function collectTaken(
  known: ReadonlySet<number>,
  nextCandidate: (taken: ReadonlySet<number>) => number | null,
  findTaken: (candidates: readonly number[]) => Promise<readonly number[]>,
): Promise<ReadonlySet<number>> {
  const taken = new Set(known);
  for (let count = firstCandidates; ; count = Math.min(2 * count, maxCandidates)) {
    const tried = new Set(taken);
    const candidates: number[] = [];
    while (candidates.length < count) {
      const candidate = nextCandidate(tried);
      if (candidate === null) break;
      candidates.push(candidate);
      tried.add(candidate);
    }
    if (candidates.length === 0) return taken;
    const found = await findTaken(candidates);
    for (const value of found) taken.add(value);
    if (found.length < candidates.length) return taken;
  }
}
