/**
 * Who peers where in the benchmark's data, as pure functions: the process that fills the database and the one with the
 * agents agree without telling each other.
 *
 * Each AS has six peerings on successive nodes, the last one perhaps fewer. One more AS, the wide one, has a peering on every
 * node in each size, so that its status is comparable.
 */
import { createHash } from "node:crypto";
import type { Peering } from "#contract/agent.ts";
import { peeringOf } from "#agent/fixtures/peerings.ts";

export const nodeNames: readonly string[] = Array.from(
  { length: 64 },
  (_, index) => `node${String(index + 1).padStart(2, "0")}`,
);

const peeringsPerAs = 6;
const firstAsn = 4_242_000_000;
export const wideAsn = "4241999999";

export interface Place {
  readonly asn: string;
  readonly node: string;
  /** Distinct on the node, from 0. */
  readonly number: number;
}

export function asnOf(index: number): string {
  return String(firstAsn + index);
}

/** The number of ASes with six peerings, without a last one with fewer. */
export function narrowCount(peerings: number): number {
  return Math.floor(peerings / peeringsPerAs);
}

/** The nodes of the AS with this index. Ten successive ASes share no node. */
export function nodesOf(index: number): readonly string[] {
  return Array.from({ length: peeringsPerAs }, (_, offset) => nodeAt(index * peeringsPerAs + offset));
}

/** Every peering: so many, and those of the wide AS. */
export function listPlaces(peerings: number): readonly Place[] {
  const narrow = Array.from({ length: peerings }, (_, index) => ({
    asn: asnOf(Math.floor(index / peeringsPerAs)),
    node: nodeAt(index),
    number: 1 + Math.floor(index / nodeNames.length),
  }));
  return [...narrow, ...nodeNames.map((node) => ({ asn: wideAsn, node, number: 0 }))];
}

function nodeAt(index: number): string {
  return nodeNames[index % nodeNames.length] ?? "";
}

/** The peering as the node runs it. */
export function peeringAt({ asn, node, number }: Place): Peering {
  return peeringOf(1, {
    asn,
    endpointHost: "198.51.100.7",
    publicKey: keyOf(asn),
    listenPort: 20_000 + number,
    peerIpv6: peerIpv6Of(asn),
    localIpv6: `fe80::${Number(node.slice(-2))}`,
  });
}

/** Canonical, and no node's. */
export function peerIpv6Of(asn: string): string {
  return `fe80::1:${(Number(asn.slice(-4)) + 1).toString(16)}`;
}

export function keyOf(name: string): string {
  const key = createHash("sha256").update(name).digest();
  // Without the form of a private key.
  key.writeUInt8(key.readUInt8(31) | 0x80, 31);
  return key.toString("base64");
}
