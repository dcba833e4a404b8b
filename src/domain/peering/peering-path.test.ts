import { expect, test } from "vitest";
import type { PeerStatus } from "../../contract/lenient.ts";
import { pathOf, type SegmentState } from "./peering-path.ts";

const tunnel = {
  state: "Up",
  issues: [],
  tx: "1 KiB",
  rx: "1 KiB",
  handshake: "12 s ago",
  endpoint_error: "",
  node_key_changed: false,
};
const routes = [{ family: "IPv4" as const, received: 20, accepted: 20, refused: 0, exported: 900 }];
const session = { name: "s", families: ["IPv4" as const], state: "Established", detail: "", routes };
const well: PeerStatus = {
  node: "syd01",
  known: true,
  bgp_status: "OK",
  wg_status: tunnel,
  latency: "12.4 ms",
  sessions: [session],
  bgp_issues: [],
  deployment: null,
};
const v6 = { ...session, families: ["IPv6" as const] };
const failed = (state: string, detail = "") => ({ ...v6, state, detail, routes: null });
const alone = (state: string, detail = ""): Partial<PeerStatus> => ({
  bgp_status: "Down",
  sessions: [failed(state, detail)],
});
const refusing = (accepted: number, refused: number): Partial<PeerStatus> => ({
  bgp_status: "Issues",
  sessions: [
    {
      ...session,
      routes: [{ family: "IPv4", received: accepted + refused, accepted, refused, exported: 9 }],
    },
  ],
});
/** What a server of the specification alone sends. */
const foreign = (bgp_status: string, state = "Up"): Partial<PeerStatus> => ({
  bgp_status,
  sessions: [],
  wg_status: { state, issues: [], tx: "", rx: "" },
});
const tunnelWith = (changed: Partial<PeerStatus["wg_status"]>): Partial<PeerStatus> => ({
  wg_status: { ...tunnel, ...changed },
});
const downWith = (changed: Partial<PeerStatus["wg_status"]>): Partial<PeerStatus> => ({
  ...tunnelWith({ state: "Down", ...changed }),
  bgp_status: "Down",
  sessions: [failed("Active", "Socket: No route to host")],
});

const letters: Readonly<Record<SegmentState, string>> = {
  good: "+",
  degraded: "~",
  broken: "x",
  "not reached": "-",
  unknown: "?",
};

/** `path`: + good, ~ degraded, x broken, - not reached, ? unknown. */
const rows: ReadonlyArray<readonly [path: string, sentence: string, changed: Partial<PeerStatus>]> = [
  ["++++", "The session is Established", {}],
  ["++++", "All 2 sessions are Established", { sessions: [session, v6] }],
  ["????", "The node does not respond", { known: false, bgp_status: "Down", sessions: [] }],
  ["----", "The node does not run this peering yet", { ...foreign("Not found", "Down") }],
  [
    "----",
    "The node is being configured",
    { ...foreign("Not found", "Down"), deployment: { taskID: "t", kind: "deploy" } },
  ],
  ["++++", "The node is being configured", { deployment: { taskID: "t", kind: "deploy" } }],
  ["++++", "The peering is being deleted", { deployment: { taskID: "t", kind: "delete" } }],
  [
    "x---",
    "Your hostname does not resolve",
    downWith({ endpoint_error: "home.example.net does not resolve." }),
  ],
  ["~+++", "Your hostname no longer resolves", tunnelWith({ endpoint_error: "It does not resolve." })],
  ["+x--", "No handshake with your router yet", downWith({ handshake: "" })],
  ["+x--", "No handshake for 3 min", downWith({ handshake: "3 min ago" })],
  ["+x--", "The node has a new public key", downWith({ handshake: "", node_key_changed: true })],
  ["+~++", "The node has a new public key", tunnelWith({ node_key_changed: true })],
  ["+~++", "Your router does not reply to pings", { ...tunnelWith({ issues: ["No ping."] }), latency: "" }],
  ["+~++", "The tunnel has an issue", tunnelWith({ issues: ["Something else."] })],
  ["++x-", "Your router refuses BGP connections", alone("Active", "Socket: Connection refused")],
  ["++x-", "Your router closes BGP connections", alone("Idle", "Socket: Connection closed")],
  ["++x-", "Your tunnel address is not reachable", alone("Connect", "Socket: No route to host")],
  ["++x-", "The AS numbers do not match", alone("Idle", "BGP Error: Bad peer AS: 64512")],
  ["++x-", "No keepalives arrive in time", alone("Idle", "BGP Error: Hold timer expired")],
  ["++x-", "The session was shut down", alone("Idle", "Received: Administrative shutdown")],
  ["++x-", "No BGP reply from your router", alone("Connect")],
  ["++x-", "The session is OpenSent", alone("OpenSent")],
  [
    "++~+",
    "IPv6: the session is Idle",
    { bgp_status: "Issues", sessions: [session, failed("Idle", "Received: x")] },
  ],
  ["+++~", "18 of your 20 routes are refused", refusing(2, 18)],
  ["+++x", "Your only route is refused", refusing(0, 1)],
  ["+++-", "Your router announces no routes", refusing(0, 0)],
  ["+++?", "The session is Established", { sessions: [{ ...session, routes: null }] }],
  // Servers that send the fields of the specification only.
  ["+++?", "Tunnel and BGP are up", foreign("OK")],
  ["++~?", "BGP has an issue", foreign("Issues")],
  ["++x-", "BGP is down", foreign("Down")],
  ["++x-", "The node runs no session yet", foreign("Not found")],
  ["++??", "BGP is Idle (Admin)", foreign("Idle (Admin)")],
  ["++??", "", foreign("")],
  ["?x--", "The tunnel is down", foreign("Down", "Down")],
  ["????", "The tunnel is Starting", foreign("", "Starting")],
];

test.each(rows)("%s %s", (path, sentence, changed) => {
  const { segments, sentence: found } = pathOf({ ...well, ...changed });
  expect([segments.map(({ state }) => letters[state]).join(""), found]).toEqual([path, sentence]);
});

test("a sentence has at most eight words, also with another server's words", () => {
  const long = "very long words that only another server uses for something";
  const statuses = [...rows.map(([, , changed]) => changed), foreign(long), foreign("", long), alone(long)];
  const sentences = statuses.map((changed) => pathOf({ ...well, ...changed }).sentence);
  expect(sentences.filter((sentence) => sentence.split(" ").length > 8)).toEqual([]);
});
