import { expect, test } from "vitest";
import type { PeerStatus } from "../../contract/lenient.ts";
import type { Finding } from "../findings/findings.ts";
import { findRouteFaults } from "../findings/route-faults.ts";
import { pathOf, type SegmentState } from "./peering-path.ts";

const tunnel = { state: "Up", issues: [], tx: "1 KiB", rx: "1 KiB", handshake: "12 s ago" };
const routes = [{ family: "IPv4" as const, received: 20, accepted: 20, refused: 0, exported: 900 }];
const session = { name: "s", families: ["IPv4" as const], state: "Established", detail: "", routes };
const well: PeerStatus = {
  node: "syd01",
  known: true,
  bgp_status: "OK",
  wg_status: tunnel,
  latency: "12.4 ms",
  sessions: [session],
  findings: [],
  deployment: null,
};
const v6 = { ...session, families: ["IPv6" as const] };
const failed = { ...v6, state: "Active", routes: null };
const families = ["IPv6"];
const addresses = ["fe80::2227"];

/** A peering with one session, which is down. */
const alone = (finding: Finding): Partial<PeerStatus> => ({
  bgp_status: "Down",
  sessions: [failed],
  findings: [finding],
});
const up = (...findings: Finding[]): Partial<PeerStatus> => ({ findings });
/** A peering whose tunnel is down. */
const down = (...findings: Finding[]): Partial<PeerStatus> => ({
  wg_status: { ...tunnel, state: "Down" },
  bgp_status: "Down",
  sessions: [failed],
  findings: [...findings, { code: "session-waiting", facts: {} }],
});
const withRoutes = (accepted: number, refused: number): Partial<PeerStatus> => {
  const counts = { family: "IPv4" as const, received: accepted + refused, accepted, refused, exported: 9 };
  const sessions = [{ ...session, routes: [counts] }];
  return { bgp_status: "Issues", sessions, findings: findRouteFaults(sessions) };
};
const deploying = (kind: "deploy" | "delete"): Partial<PeerStatus> => ({ deployment: { taskID: "t", kind } });
/** What a server of the specification alone sends. */
const foreign = (bgp_status: string, state = "Up", issues: string[] = []): Partial<PeerStatus> => ({
  bgp_status,
  sessions: undefined,
  findings: undefined,
  wg_status: { state, issues, tx: "", rx: "" },
});
const missing: Partial<PeerStatus> = {
  bgp_status: "Not found",
  wg_status: { ...tunnel, state: "Down" },
  sessions: [],
};
const host = "syd01.example.net";
const endpoint = "198.51.100.1:51820";
const noHandshake: Finding = { code: "no-handshake", facts: { endpoint, hasPresharedKey: false } };
const routerAwaited: Finding = { code: "router-awaited", facts: {} };
const sessionAwaited: Finding = { code: "session-awaited", facts: {} };
const unreachable: Finding = { code: "node-unreachable", facts: { host, cause: null } };
const notDeployed: Finding = { code: "not-deployed", facts: { host } };
const unfinished: Finding = { code: "deployment-unfinished", facts: {} };
const noReply: Finding = { code: "no-ping-reply", facts: { address: "fe80::1" } };
const refused: Finding = { code: "session-refused", facts: { families, addresses } };
const facts = { families, addresses, state: "Idle", output: "" };
const idle: Finding = { code: "session-not-established", facts };
const oneOfTwo = { bgp_status: "Issues", sessions: [session, failed] };
const later = { code: "of-a-later-server", facts: {} };
const newKey: Finding = { code: "node-key-changed", facts: { host, publicKey: "k" } };
const unresolved: Finding = { code: "endpoint-unresolved", facts: { host: "home.example.net" } };

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
  ["????", "The node does not respond", { known: false, ...missing, ...up(unreachable) }],
  ["----", "The node does not run this peering yet", { ...missing, ...up(notDeployed) }],
  ["----", "The node is being configured", { ...missing, ...up(unfinished), ...deploying("deploy") }],
  ["++++", "The node is being configured", deploying("deploy")],
  ["++++", "The peering is being deleted", deploying("delete")],
  ["x---", "Your hostname does not resolve", down(unresolved, noHandshake)],
  ["~+++", "Your hostname does not resolve", up(unresolved)],
  ["+x--", "No handshake with your router yet", down(noHandshake)],
  ["+???", "Waiting for your router", { ...down(), findings: [routerAwaited, sessionAwaited] }],
  ["++??", "Waiting for your router", alone(sessionAwaited)],
  ["+x--", "The node has a new public key", down(newKey, noHandshake)],
  ["+~++", "The node has a new public key", up(newKey)],
  ["++++", "The session is Established", up(noReply)],
  ["++x-", "Your router refuses BGP connections", alone(refused)],
  ["++~+", "IPv6: the session is Idle", { ...alone(idle), ...oneOfTwo }],
  ["+++~", "18 of your 20 routes are refused", withRoutes(2, 18)],
  ["+++x", "Your only route is refused", withRoutes(0, 1)],
  ["+++-", "Your router announces no routes", withRoutes(0, 0)],
  ["+++?", "The session is Established", { sessions: [{ ...session, routes: null }] }],
  // Servers that send the fields of the specification only.
  ["????", "The node does not respond", { ...foreign("Down", "Down"), known: false }],
  ["----", "The node does not run this peering yet", foreign("Not found", "Down")],
  ["+++?", "Tunnel and BGP are up", foreign("OK")],
  ["+~+?", "The tunnel has an issue", foreign("OK", "Up", ["Something else."])],
  ["++~?", "BGP has an issue", foreign("Issues")],
  ["++x-", "BGP is down", foreign("Down")],
  ["++x-", "The node runs no session yet", foreign("Not found")],
  ["++??", "BGP is Idle (Admin)", foreign("Idle (Admin)")],
  ["++??", "", foreign("")],
  ["?x--", "The tunnel is down", foreign("Down", "Down")],
  ["????", "The tunnel is Starting", foreign("", "Starting")],
  // A server that knows more than the app.
  ["++~+", "BGP has an issue", { bgp_status: "Issues", findings: [later] }],
];

test.each(rows)("%s %s", (path, sentence, changed) => {
  const { segments, sentence: found } = pathOf({ ...well, ...changed });
  expect([segments.map(({ state }) => letters[state]).join(""), found]).toEqual([path, sentence]);
});

test("a sentence has at most eight words, also with another server's words", () => {
  const long = "very long words that only another server uses for something";
  const statuses = [foreign(long), foreign("", long)];
  const sentences = statuses.map((changed) => pathOf({ ...well, ...changed }).sentence);
  expect(sentences.filter((sentence) => sentence.split(" ").length > 8)).toEqual([]);
});

const findingOf = (changed: Partial<PeerStatus>) => pathOf({ ...well, ...changed }).finding;

test("the finding of the path is the one that its sentence is about", () => {
  expect(findingOf(down(unresolved, noHandshake))).toEqual(unresolved);
  expect(findingOf(down(noHandshake))).toEqual(noHandshake);
  expect(findingOf({})).toBeNull();
  expect(findingOf({ ...down(noHandshake), ...deploying("deploy") })).toBeNull();
});

const loss: Finding = { code: "packet-loss", facts: { percent: 25 } };

test("a note is in its segment, and changes neither a state nor the sentence", () => {
  const { segments, sentence, finding } = pathOf({
    ...well,
    findings: [{ code: "no-routes", facts: {} }, loss],
  });
  expect(segments.map(({ state }) => state)).toEqual(["good", "good", "good", "good"]);
  expect(segments.map(({ notes }) => notes)).toEqual([[], ["25% of probes are lost"], [], []]);
  expect([sentence, finding]).toEqual(["The session is Established", null]);
});

test("the sentence is about a fault, not about a note before it", () => {
  const { sentence, segments } = pathOf({ ...well, ...down(loss, noHandshake) });
  expect(sentence).toBe("No handshake with your router yet");
  expect(segments[1]).toEqual({ name: "Tunnel", state: "broken", notes: ["25% of probes are lost"] });
});
