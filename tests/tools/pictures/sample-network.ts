/** Replies of a larger network than the demo's, with values at the limits of what a screen must show. */
import type {
  NodeHistory,
  NodeSamples,
  PeerConfig,
  PeerStatus,
  Provider,
} from "../../../src/contract/entities.ts";

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

const up: Omit<PeerStatus, "node"> = {
  known: true,
  bgp_status: "OK",
  wg_status: {
    state: "Up",
    issues: [],
    tx: "1.21 MiB",
    rx: "923.44 GiB",
    handshake: "12 s ago",
    endpoint_error: "",
    node_key_changed: false,
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
    },
  ],
  bgp_issues: [],
  deployment: null,
};

const down: Omit<PeerStatus, "node"> = {
  ...up,
  bgp_status: "Down",
  wg_status: { ...up.wg_status, state: "Down", handshake: "", issues: ["There was no handshake yet."] },
  latency: "",
  sessions: [
    {
      name: "peerdeck_4242420001",
      families: ["IPv4", "IPv6"],
      state: "Connect",
      detail: "",
      routes: null,
    },
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
  bgp_issues: ["2 of your 123456789012 routes are refused."],
};

/** A peering with each node: the first has large numbers, and every ninth is down. */
export function samplePeerings(nodes: readonly string[]): readonly PeerStatus[] {
  return nodes.map((node, index) => ({ node, ...(index === 0 ? large : index % 9 === 4 ? down : up) }));
}

/** What a node that does not reply leaves. */
export function silentPeerings(nodes: readonly string[]): readonly PeerStatus[] {
  return nodes.map((node) => ({
    ...up,
    node,
    known: false,
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
};

/** Ninety days and a day in quarter hours of each node; every seventh was down for an hour. */
export function sampleNodeHistory(nodes: readonly string[], now: number): readonly NodeHistory[] {
  const hourMs = 3_600_000;
  const buckets = (count: number, ms: number, isDown: (index: number) => boolean) =>
    Array.from({ length: count }, (_, index) => ({
      from: now - (now % ms) - (count - 1 - index) * ms,
      ok: isDown(index) ? 0 : 60,
      issues: 0,
      down: isDown(index) ? 60 : 0,
    }));
  return nodes.map((node, number) => ({
    node,
    now: "OK",
    quarters: buckets(96, hourMs / 4, (index) => number % 7 === 3 && index >= 40 && index < 44),
    days: buckets(90, 24 * hourMs, (index) => number % 7 === 3 && index === 60),
  }));
}

/** Three hours of samples, a minute apart; the last node did not respond in the second half. */
export function sampleNodeSamples(
  nodes: readonly string[],
  peered: readonly string[],
  now: number,
): readonly NodeSamples[] {
  const minuteMs = 60_000;
  return nodes.map((node, number) => {
    const isSilent = (minute: number) => number === nodes.length - 1 && minute >= 90;
    const times = Array.from({ length: 180 }, (_, minute) => now - (179 - minute) * minuteMs);
    const wave = (minute: number) => (1 + Math.sin(minute / 20 + number)) / 2;
    return {
      node,
      samples: times.map((at, minute) => ({
        at,
        cpuPercent: isSilent(minute) ? null : 5 + 40 * wave(minute),
        memoryPercent: isSilent(minute) ? null : 20 + number + 2 * wave(minute),
        routes: isSilent(minute) ? null : { ipv4: 812 + (minute % 5), ipv6: 764 },
      })),
      traffic: peered.includes(node)
        ? times.map((at, minute) => ({ at, received: 1e6 * wave(minute), sent: 4e5 * wave(minute + 9) }))
        : null,
    };
  });
}
