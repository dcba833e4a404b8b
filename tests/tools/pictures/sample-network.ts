/** Replies of a larger network than the demo's, with values at the limits of what a screen must show. */
import type { PeerConfig, PeerStatus, Provider } from "#contract/entities.ts";
import { noConfigOptions } from "../../support/fixtures/no-options.ts";

/** The longest name of a node, the longest place, and a place in a script that is written from right to left. */
const unusual: ReadonlyArray<readonly [name: string, place: string]> = [
  ["frankfurt-am-main-01", "Frankfurt am Main, Hessen, Bundesrepublik"],
  ["cai01", "القاهرة، مصر"],
];

/** The names of a network with this many nodes. */
export function nodeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => unusual[index]?.[0] ?? `node${index + 1}`);
}

/** The profile of the demo with other nodes. */
export function sampleProvider(demo: Provider, nodes: readonly string[]): Provider {
  const spread = nodes.map((name, index) => ({
    name,
    place: unusual[index]?.[1] ?? `Place ${index + 1}, Country`,
    // Over the inhabited latitudes, so that labels come close to each other without lying on one another.
    lat: -35 + ((index * 37) % 95),
    lon: -120 + ((index * 61) % 270),
  }));
  return { ...demo, nodes: spread };
}

const dayMs = 86_400_000;

const up: Omit<PeerStatus, "node"> = {
  known: true,
  bgp_status: "OK",
  wg_status: {
    state: "Up",
    issues: [],
    tx: "1.21 MiB",
    rx: "923.44 GiB",
    handshake: "12 s ago",
    endpoint: "198.51.100.7:51820",
    loss: "0%",
  },
  latency: "14.2 ms",
  sessions: [
    {
      name: "peerdeck_4242420001",
      families: ["IPv4", "IPv6"],
      state: "Established",
      detail: "",
      routes: [
        { family: "IPv4", received: 2, accepted: 2, refused: 0, exported: 812 },
        { family: "IPv6", received: 1, accepted: 1, refused: 0, exported: 764 },
      ],
      since: Date.now() - 3 * dayMs,
      ends: 0,
    },
  ],
  findings: [],
  deployment: null,
};

const down: Omit<PeerStatus, "node"> = {
  ...up,
  bgp_status: "Down",
  wg_status: { ...up.wg_status, state: "Down", handshake: "2 h ago" },
  latency: "",
  sessions: up.sessions.map((session) => ({
    ...session,
    state: "Connect",
    routes: null,
    since: Date.now() - dayMs / 12,
  })),
  findings: [
    {
      code: "handshake-expired",
      facts: { endpoint: "198.51.100.7:51820", ageSeconds: 7200, hasPresharedKey: false },
    },
    { code: "session-waiting", facts: {} },
  ],
};

/** Numbers of twelve digits, as a full table times many sessions would have at most. */
const large: Omit<PeerStatus, "node"> = {
  ...up,
  latency: "123456.7 ms",
  sessions: up.sessions.map((session) => ({
    ...session,
    routes: [
      { family: "IPv4", received: 123456789012, accepted: 123456789010, refused: 2, exported: 123456789012 },
    ],
  })),
  bgp_status: "Issues",
  findings: [{ code: "routes-refused", facts: { refused: 2, received: 123456789012 } }],
};

const isDown = (index: number) => index % 9 === 4;

/** The nodes whose peerings are down. */
export function downNodes(nodes: readonly string[]): readonly string[] {
  return nodes.filter((_, index) => isDown(index));
}

/** A peering with each node: the first has large numbers, every ninth is down, and that of a silent node is unknown. */
export function samplePeerings(
  nodes: readonly string[],
  isSilent: (node: string) => boolean = () => false,
): readonly PeerStatus[] {
  return nodes.flatMap((node, index) =>
    isSilent(node)
      ? silentPeerings([node])
      : [{ node, ...(index === 0 ? large : isDown(index) ? down : up) }],
  );
}

/** What a node that does not reply leaves. */
export function silentPeerings(nodes: readonly string[]): readonly PeerStatus[] {
  return nodes.map((node) => ({
    ...up,
    node,
    known: false,
    findings: [{ code: "node-unreachable", facts: { host: `${node}.demo.dn42`, cause: null } }],
    bgp_status: "Down",
    wg_status: { ...up.wg_status, state: "Down", tx: "", rx: "", handshake: "" },
    latency: "",
    sessions: [],
  }));
}

export const sampleConfig: PeerConfig = {
  local_port: "52001",
  local_asn: "4242423999",
  remote: "an-unusually-long-name-of-a-router.in-a-long-domain.example.net:51820",
  peer_ipv4: "172.20.10.1",
  peer_ipv6: "fe80::1234:5678:9abc:def0",
  peer_publickey: Buffer.from("k".repeat(32)).toString("base64"),
  peer_asn: "4242420001",
  bgp_ipv4: "Yes",
  bgp_ipv6: "Yes",
  bgp_mpbgp: "Yes",
  bgp_extnh: "Yes",
  address_family: "Both",
  local_ipv6: "",
  generation: 1,
  ...noConfigOptions,
};
