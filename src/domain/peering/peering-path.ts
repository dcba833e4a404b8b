/**
 * A peering as a path of four segments: how far it gets. The first segment that is not good is named in a sentence. What a
 * server does not report is unknown.
 */
import type { PeerStatus } from "../../contract/lenient.ts";
import { describeRefusedRoutes } from "../health.ts";

export const pathSegments = ["Endpoint", "Tunnel", "Session", "Routes"] as const;
export type PathSegment = (typeof pathSegments)[number];

/** `not reached`: a segment before it is broken, so its own state says nothing. */
export type SegmentState = "good" | "degraded" | "broken" | "not reached" | "unknown";

export interface PeeringPath {
  /** The four segments in their order. */
  readonly segments: ReadonlyArray<{ readonly name: PathSegment; readonly state: SegmentState }>;
  /** At most eight words, without a full stop. */
  readonly sentence: string;
}

interface Assessment {
  readonly state: SegmentState;
  /** Empty if there is nothing to say. */
  readonly sentence: string;
}

export function pathOf(status: PeerStatus): PeeringPath {
  const endpoint = assessEndpoint(status);
  const tunnel = assessTunnel(status, endpoint);
  const session = assessSession(status, tunnel);
  const assessments = [endpoint, tunnel, session, assessRoutes(status, session)];
  const segments = pathSegments.map((name, index) => ({
    name,
    state: assessments[index]?.state ?? "unknown",
  }));
  const fault = assessments.find(({ state, sentence }) => state !== "good" && sentence !== "");
  return { segments, sentence: describeDeployment(status) ?? fault?.sentence ?? describeHealthy(status) };
}

function describeDeployment({ deployment }: PeerStatus): string | null {
  if (deployment === null) return null;
  return deployment.kind === "delete" ? "The peering is being deleted" : "The node is being configured";
}

function describeHealthy({ sessions = [], wg_status, bgp_status }: PeerStatus): string {
  if (sessions.length > 1) return `All ${sessions.length} sessions are Established`;
  if (sessions.length === 1) return "The session is Established";
  return wg_status.state === "Up" && bgp_status === "OK" ? "Tunnel and BGP are up" : "";
}

const good: Assessment = { state: "good", sentence: "" };
const notReached: Assessment = { state: "not reached", sentence: "" };
const unknown: Assessment = { state: "unknown", sentence: "" };
const degraded = (sentence: string): Assessment => ({ state: "degraded", sentence });
const broken = (sentence: string): Assessment => ({ state: "broken", sentence });

function assessEndpoint({ known, bgp_status, wg_status, sessions = [] }: PeerStatus): Assessment {
  const { state, endpoint_error: error } = wg_status;
  if (!known) return { state: "unknown", sentence: "The node does not respond" };
  if (bgp_status === "Not found" && sessions.length === 0 && state !== "Up") {
    return { state: "not reached", sentence: "The node does not run this peering yet" };
  }
  if (error === undefined || error === "") return error === "" || state === "Up" ? good : unknown;
  return state === "Up"
    ? degraded("Your hostname no longer resolves")
    : broken("Your hostname does not resolve");
}

function assessTunnel({ known, wg_status, latency }: PeerStatus, endpoint: Assessment): Assessment {
  const { state, issues, handshake, node_key_changed: hasNewKey = false } = wg_status;
  if (!known) return unknown;
  if (endpoint.state === "broken" || endpoint.state === "not reached") return notReached;
  if (state === "Up") {
    if (hasNewKey) return degraded(newNodeKey);
    if (issues.length === 0) return good;
    return degraded(latency === "" ? "Your router does not reply to pings" : "The tunnel has an issue");
  }
  if (state !== "Down")
    return { ...unknown, sentence: state === "" ? "" : `The tunnel is ${firstWords(state)}` };
  if (hasNewKey) return broken(newNodeKey);
  if (handshake === undefined) return broken("The tunnel is down");
  if (handshake === "") return broken("No handshake with your router yet");
  return broken(`No handshake for ${handshake.replace(/ ago$/, "")}`);
}

const newNodeKey = "The node has a new public key";

type Session = NonNullable<PeerStatus["sessions"]>[number];

const established = "Established";

function assessSession({ known, bgp_status, sessions = [] }: PeerStatus, tunnel: Assessment): Assessment {
  if (!known) return unknown;
  const failed = sessions.filter(({ state }) => state !== established);
  const [first] = failed;
  const isAnyUp = failed.length < sessions.length;
  if (!isAnyUp && (tunnel.state === "broken" || tunnel.state === "not reached")) return notReached;
  if (first) {
    const fault = describeFault(first);
    return isAnyUp ? degraded(`${first.families.join(" and ")}: ${lowerFirst(fault)}`) : broken(fault);
  }
  if (sessions.length > 0 || bgp_status === "OK") return good;
  if (bgp_status === "Issues") return degraded("BGP has an issue");
  if (bgp_status === "Down") return broken("BGP is down");
  if (bgp_status === "Not found") return broken("The node runs no session yet");
  return { ...unknown, sentence: bgp_status === "" ? "" : `BGP is ${firstWords(bgp_status)}` };
}

/** What BIRD's last errors mean for the participant; tests/fixtures/router-outputs has recordings of them. */
const faults: ReadonlyArray<readonly [detail: RegExp, sentence: string]> = [
  [/Connection refused/, "Your router refuses BGP connections"],
  [/Connection (?:closed|reset)/, "Your router closes BGP connections"],
  [/No route to host|Network is unreachable/, "Your tunnel address is not reachable"],
  [/Bad peer AS/, "The AS numbers do not match"],
  [/Hold timer expired/, "No keepalives arrive in time"],
  [/Administrative(?:ly)? (?:shutdown|stop)/, "The session was shut down"],
];

const noReplyStates: ReadonlySet<string> = new Set(["Idle", "Connect", "Active"]);

function describeFault({ state, detail }: Session): string {
  const known = faults.find(([pattern]) => pattern.test(detail));
  if (known) return known[1];
  if (detail === "" && noReplyStates.has(state)) return "No BGP reply from your router";
  return `The session is ${firstWords(state)}`;
}

function assessRoutes({ known, sessions = [] }: PeerStatus, session: Assessment): Assessment {
  if (!known) return unknown;
  if (session.state === "broken" || session.state === "not reached") return notReached;
  const routes = sessions.flatMap((each) => each.routes ?? []);
  if (routes.length === 0) return unknown;
  if (routes.every(({ received }) => received === 0)) {
    return { state: "not reached", sentence: "Your router announces no routes" };
  }
  const refused = describeRefusedRoutes(sessions)?.replace(/\.$/, "");
  if (refused === undefined) return good;
  return routes.every(({ accepted }) => accepted === 0) ? broken(refused) : degraded(refused);
}

/** Another server's word for a state may be a sentence. */
function firstWords(text: string): string {
  return text.split(/\s+/, 3).join(" ");
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
