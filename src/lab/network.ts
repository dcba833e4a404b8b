/** The lab's nodes and participants: constant facts from which all configuration is derived. */

export interface NodePlan {
  readonly name: string;
  readonly place: string;
  readonly lat: number;
  readonly lon: number;
  /** The address on the simulated internet. */
  readonly publicIp: string;
  /** The node's dn42 addresses, used as its side of the participants' tunnels. */
  readonly ipv4: string;
  readonly ipv6: string;
}

export interface ParticipantPlan {
  readonly asn: string;
  /** The host's name. */
  readonly name: string;
  /** The participant's BGP daemon. */
  readonly speaker: "BIRD" | "FRR";
  readonly password: string;
  readonly publicIp: string;
  /** The public address is that of a NAT router, which forwards no port to the participant's host. */
  readonly isBehindNat?: boolean;
  /** The announced prefixes, and one address in each that replies to pings. */
  readonly ipv4: { readonly prefix: string; readonly address: string };
  readonly ipv6: { readonly prefix: string; readonly address: string };
}

export const provider = {
  asn: "4242422227",
  host: "provider",
  publicIp: "192.0.2.10",
  prefixes: { ipv4: "172.20.222.0/24", ipv6: "fd42:4242:2227::/48" },
} as const;

/** The prefix length of the network that represents the internet. */
export const internetPrefixLength = 24;

export const nodes: readonly NodePlan[] = (
  [
    ["syd01", "Sydney, Australia", -33.87, 151.21],
    ["per01", "Perth, Australia", -31.95, 115.86],
    ["sin01", "Singapore", 1.35, 103.82],
    ["de01", "Frankfurt, Germany", 50.11, 8.68],
    ["ny01", "New York, United States", 40.71, -74.01],
    ["za01", "Johannesburg, South Africa", -26.2, 28.05],
  ] as const
).map(([name, place, lat, lon], index) => ({
  name,
  place,
  lat,
  lon,
  publicIp: `192.0.2.${11 + index}`,
  ipv4: `172.20.222.${11 + index}`,
  ipv6: `fd42:4242:2227::${11 + index}`,
}));

/** The provider's own tunnels: a ring around the world, and two shortcuts. */
export const links: ReadonlyArray<readonly [string, string]> = [
  ["syd01", "per01"],
  ["per01", "za01"],
  ["za01", "de01"],
  ["de01", "ny01"],
  ["ny01", "syd01"],
  ["syd01", "sin01"],
  ["sin01", "de01"],
];

export const participants: readonly ParticipantPlan[] = [
  {
    asn: "4242420001",
    name: "as4242420001",
    speaker: "BIRD",
    password: "ada of the lab",
    publicIp: "192.0.2.101",
    ipv4: { prefix: "172.20.1.0/26", address: "172.20.1.1" },
    ipv6: { prefix: "fd42:4242:1::/48", address: "fd42:4242:1::1" },
  },
  {
    asn: "4242420002",
    name: "as4242420002",
    speaker: "FRR",
    password: "bram of the lab",
    publicIp: "192.0.2.102",
    ipv4: { prefix: "172.20.2.0/26", address: "172.20.2.1" },
    ipv6: { prefix: "fd42:4242:2::/48", address: "fd42:4242:2::1" },
  },
];

/** Returns the names of the nodes to which a node has a tunnel. */
export function neighboursOf(node: string): readonly string[] {
  return links.flatMap(([a, b]) => (a === node ? [b] : b === node ? [a] : []));
}

/** Returns the interface name of the tunnel to a node. */
export function linkInterface(to: string): string {
  return `lab-${to}`;
}

/** Returns the UDP port of a link, the same at both ends. */
export function linkPort(a: string, b: string): number {
  const index = links.findIndex(([from, to]) => (from === a && to === b) || (from === b && to === a));
  return 5000 + index;
}

export function findNodePlan(name: string): NodePlan {
  const plan = nodes.find((node) => node.name === name);
  if (!plan)
    throw new LabError(`The lab has no node ${name}. It has ${nodes.map((node) => node.name).join(", ")}.`);
  return plan;
}

/** An error that the user of the lab can fix; the message says how. */
export class LabError extends Error {
  override readonly name = "LabError";
}
