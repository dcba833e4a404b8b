/**
 * Servers differ in what the specification leaves open: what a response contains where its status alone decides, which
 * words a status has, how a number or a flag is written, and what is missing. Each mood is one such server.
 */
import { empty, json, type Reply, text } from "./replies.ts";

/** Section 3: the peer update payload. */
export interface PeerUpdate {
  readonly node: string;
  readonly address_family: string;
  readonly bgp_extnh: string;
  readonly remote_ip: string;
  readonly remote_port: string;
  readonly peer_ipv4: string;
  readonly peer_ipv6: string;
  readonly local_ipv6: string;
  readonly public_key: string;
}

export interface Mood {
  /** The response to a call whose status alone decides. */
  readonly bare: Reply;
  /** The response to a path that the server does not have. */
  readonly notFound: Reply;
  /** The response to GET /api/auth-status/ without a login session. */
  readonly anonymous: Reply;
  /** The username of GET /api/auth-status/. */
  readonly username: (asn: string) => unknown;
  readonly links: unknown;
  readonly taskID: (number: number) => unknown;
  /** The status of a task that is not over. */
  readonly waiting: string;
  /** Missing where undefined. */
  readonly quip: string | null | undefined;
  readonly peerConfig: (update: PeerUpdate, username: string) => Readonly<Record<string, unknown>>;
  readonly nodeConfig: Readonly<Record<string, unknown>>;
  readonly peerStatus: Readonly<Record<string, unknown>>;
  readonly nodeStatus: Readonly<Record<string, unknown>>;
  readonly peerDetails: unknown;
  readonly bgpCheck: unknown;
  readonly routes: unknown;
  readonly ping: unknown;
}

const nodeKey = "0Y2XHjUtLFZ2Q4TX9hJw4w3IS0mVhcL7tDVBpZCM1Hc=";

const family = (update: PeerUpdate) => ({
  hasIPv4: update.address_family !== "IPv6",
  hasIPv6: update.address_family !== "IPv4",
  isExtended: update.bgp_extnh === "Yes",
});

/** Numbers are numbers, and flags booleans, as a server in Python or Go has them. */
const well: Mood = {
  bare: json({ success: true }),
  notFound: text(404, "<!doctype html><title>404 Not Found</title><h1>Not Found</h1>", "text/html"),
  anonymous: json({ isAuthenticated: false, username: "" }),
  username: (asn) => asn,
  links: [
    { from: "syd01", to: "per01", status: "up" },
    { from: "per01", to: "sin01", status: "down" },
  ],
  taskID: (number) => `5f0c6d2e-0000-4000-8000-00000000000${number}`,
  waiting: "waiting",
  quip: "Convincing the routers to talk to each other.",
  peerConfig: (update, username) => ({
    local_port: 51_820,
    local_asn: 4_242_422_227,
    remote: `${update.remote_ip}:${update.remote_port}`,
    peer_ipv4: update.peer_ipv4,
    peer_ipv6: update.peer_ipv6,
    peer_publickey: update.public_key,
    peer_asn: Number(username),
    bgp_ipv4: family(update).hasIPv4,
    bgp_ipv6: family(update).hasIPv6,
    bgp_mpbgp: family(update).isExtended,
    bgp_extnh: family(update).isExtended,
  }),
  nodeConfig: {
    public_ip: "203.0.113.5",
    local_ipv4: "172.20.222.1",
    local_ipv6: "fe80::2227",
    public_key: nodeKey,
  },
  peerStatus: {
    bgp_status: "OK",
    wg_status: { state: "Up", issues: [], tx: "1.21 MiB", rx: "4.05 MiB" },
    latency: "12.4 ms",
  },
  nodeStatus: { status: "OK", uptime: "12 days, 3:04", load: "0.12, 0.08, 0.05", issues: [] },
  peerDetails: {
    wg_details: { output: "interface: wg4242420001\n  listening port: 51820" },
    bgp_details: { output: "Name       Proto      Table      State  Since         Info\ndn42_4242420001 up" },
  },
  bgpCheck: {
    address_families: "OK",
    bgp_extnh: "OK",
    received_routes: { ipv4: 2, ipv6: 1 },
    filtered_routes: { ipv4: 0, ipv6: 0 },
    rejected_routes: { ipv4: 0, ipv6: 0 },
  },
  routes: { output: "172.20.1.0/26 unicast [dn42_4242420001] * (100) [AS4242420001i]" },
  ping: { result: "success", output: "3 packets transmitted, 3 received, 0% packet loss" },
};

/** Values are strings, as in the templates of a router's configuration. */
const statusAlone: Mood = {
  ...well,
  bare: empty(200),
  notFound: empty(404),
  anonymous: empty(401),
  peerConfig: (update, username) => ({
    local_port: "51820",
    local_asn: "4242422227",
    remote: `${update.remote_ip}:${update.remote_port}`,
    peer_ipv4: update.peer_ipv4,
    peer_ipv6: update.peer_ipv6,
    peer_publickey: update.public_key,
    peer_asn: username,
    bgp_ipv4: family(update).hasIPv4 ? "Yes" : "No",
    bgp_ipv6: family(update).hasIPv6 ? "Yes" : "No",
    bgp_mpbgp: family(update).isExtended ? "Yes" : "No",
    bgp_extnh: family(update).isExtended ? "Yes" : "No",
  }),
};

const unknownWords: Mood = {
  ...well,
  bare: text(200, "OK", "text/html; charset=utf-8"),
  notFound: text(404, "404 page not found\n"),
  anonymous: json({ detail: "Not authenticated" }, 403),
  username: Number,
  links: [
    { from: "syd01", to: "per01", status: "flapping" },
    { from: "lon01", to: "mars01", status: "maintenance" },
  ],
  taskID: (number) => number,
  waiting: "queued",
  peerConfig: (update, username) => ({
    ...well.peerConfig(update, username),
    bgp_ipv4: family(update).hasIPv4 ? "on" : "off",
    bgp_ipv6: family(update).hasIPv6 ? "on" : "off",
    bgp_mpbgp: family(update).isExtended ? "on" : "off",
    bgp_extnh: family(update).isExtended ? "on" : "off",
  }),
  peerStatus: {
    bgp_status: "Dampened",
    wg_status: { state: "Handshaking", issues: ["A strange one."], tx: 1_268_776, rx: 4_246_733 },
    latency: 12.4,
  },
  nodeStatus: { status: "Draining", uptime: 1_047_840, load: 0.12, issues: ["Maintenance tonight."] },
  bgpCheck: {
    ...(well.bgpCheck as Readonly<Record<string, unknown>>),
    address_families: "mismatch",
    bgp_extnh: "n/a",
  },
  ping: { result: "partial", output: "3 packets transmitted, 1 received, 66% packet loss" },
};

/** Empty, null or absent: whatever a response can lack and still be one. */
const nothingOptional: Mood = {
  ...well,
  bare: json(null),
  notFound: json({ message: "Not found" }, 404),
  anonymous: json({ isAuthenticated: false }),
  links: [],
  quip: undefined,
  peerConfig: (update) => ({
    local_port: 51_820,
    remote: `${update.remote_ip}:${update.remote_port}`,
    peer_ipv4: update.peer_ipv4 === "" ? null : update.peer_ipv4,
    peer_ipv6: update.peer_ipv6 === "" ? null : update.peer_ipv6,
    peer_publickey: update.public_key,
    bgp_ipv4: family(update).hasIPv4 || null,
    bgp_ipv6: family(update).hasIPv6 || null,
    bgp_extnh: null,
  }),
  nodeConfig: { public_ip: "203.0.113.5", local_ipv4: null, public_key: nodeKey },
  peerStatus: { bgp_status: "Not found", wg_status: { state: "Down" }, latency: null },
  nodeStatus: { status: "OK" },
  peerDetails: { wg_details: {}, bgp_details: null },
  bgpCheck: { address_families: "OK", bgp_extnh: null, received_routes: { ipv4: 2 } },
  routes: {},
  ping: { result: "success" },
};

export const moods = {
  "all well": well,
  "no body where the status alone decides": statusAlone,
  "unknown status words": unknownWords,
  "nothing optional": nothingOptional,
} satisfies Record<string, Mood>;

export type MoodName = keyof typeof moods;
