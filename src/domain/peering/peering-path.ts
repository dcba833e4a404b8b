/**
 * A peering as a path of four segments: how far it gets. The first segment that is not good is named in a sentence. What a
 * server does not report is unknown.
 */
import type { PeerStatus } from "../../contract/lenient.ts";
import type { FindingSegment, FindingWeight } from "../findings/table/finding-row.ts";
import { type Finding, isFault, rowOf, shortSentence } from "../findings/findings.ts";
import { countRoutes } from "../findings/route-faults.ts";
import { allNotesOf, findingsOf } from "../findings/status-findings.ts";

export const pathSegments = ["Endpoint", "Tunnel", "Session", "Routes"] as const;
export type PathSegment = (typeof pathSegments)[number];

/** `not reached`: a segment before it is broken, so its own state says nothing. */
export type SegmentState = "good" | "degraded" | "broken" | "not reached" | "unknown";

export interface PeeringPath {
  /** The four segments in their order. */
  readonly segments: ReadonlyArray<{
    readonly name: PathSegment;
    readonly state: SegmentState;
    /** What was found that changes no state, in short sentences. */
    readonly notes: readonly string[];
  }>;
  /** At most eight words, without a full stop. */
  readonly sentence: string;
  /** What the sentence is about; null while it is about a deployment or all is well. */
  readonly finding: Finding | null;
}

export function pathOf(status: PeerStatus): PeeringPath {
  const findings = findingsOf(status);
  const states = statesOf(status, findings);
  const notes = allNotesOf(status);
  const segments = pathSegments.map((name) => {
    const own = notes.filter((note) => rowOf(note).segment === segmentsOfFindings[name]);
    return { name, state: states[name], notes: own.map(shortSentence) };
  });
  const deployment = describeDeployment(status);
  const finding = deployment === null ? findFirst(segments, findings) : null;
  const sentence = finding ? describe(finding, status) : describeHealthy(status);
  return { segments, sentence: deployment ?? sentence, finding };
}

const segmentsOfFindings = {
  Endpoint: "endpoint",
  Tunnel: "tunnel",
  Session: "session",
  Routes: "routes",
} as const satisfies Readonly<Record<PathSegment, FindingSegment>>;

/** The finding of the first segment that is not good. One of the node comes first, and a fault before a note. */
function findFirst(segments: PeeringPath["segments"], findings: readonly Finding[]): Finding | null {
  const notGood = segments.filter(({ state }) => state !== "good");
  const order: FindingSegment[] = ["node", ...notGood.map(({ name }) => segmentsOfFindings[name])];
  const ordered = order.flatMap((segment) => findings.filter((each) => rowOf(each).segment === segment));
  return ordered.find(isFault) ?? ordered[0] ?? null;
}

function describe(finding: Finding, status: PeerStatus): string {
  const sentence = shortSentence(finding);
  // While another session works, the sentence says which one does not.
  if (!("families" in finding.facts) || !isAnySessionUp(status)) return sentence;
  return `${finding.facts.families.join(" and ")}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
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

type States = Readonly<Record<PathSegment, SegmentState>>;

function allIn(state: SegmentState): States {
  return { Endpoint: state, Tunnel: state, Session: state, Routes: state };
}

function statesOf(status: PeerStatus, findings: readonly Finding[]): States {
  const weightOf = (segment: FindingSegment) => findWeight(findings, segment);
  const node = weightOf("node");
  if (!status.known || node === "unknown") return allIn("unknown");
  if (node === "broken") return allIn("not reached");
  const isTunnelUp = status.wg_status.state === "Up";
  const isReported = status.findings !== undefined;
  const Endpoint = stateOf(weightOf("endpoint"), isTunnelUp, isReported);
  const Tunnel = Endpoint === "broken" ? "not reached" : stateOf(weightOf("tunnel"), isTunnelUp, false);
  const isUp = isAnySessionUp(status);
  const isReached = isUp || (Tunnel !== "broken" && Tunnel !== "not reached");
  const Session = isReached ? stateOf(weightOf("session"), isUp, false) : "not reached";
  const Routes =
    Session === "broken" || Session === "not reached"
      ? "not reached"
      : Session === "unknown" && !isUp
        ? "unknown"
        : stateOfRoutes(status, weightOf("routes"));
  return { Endpoint, Tunnel, Session, Routes };
}

/** The worst weight of the findings of a segment; null if nothing is wrong with it. */
function findWeight(findings: readonly Finding[], segment: FindingSegment): FindingWeight | null {
  const rows = findings.filter(isFault).map(rowOf);
  const weights = new Set(rows.filter((row) => row.segment === segment).map(({ weight }) => weight));
  return (["broken", "degraded", "unknown"] as const).find((weight) => weights.has(weight)) ?? null;
}

/**
 * The state of a segment. What works is not broken, whatever was found.
 *
 * @param isUp whether the segment works
 * @param isReported whether it is good if it neither works nor has a finding
 */
function stateOf(weight: FindingWeight | null, isUp: boolean, isReported: boolean): SegmentState {
  if (weight === "broken" || weight === "degraded") return isUp ? "degraded" : weight;
  if (weight === "unknown") return "unknown";
  return isUp || isReported ? "good" : "unknown";
}

function stateOfRoutes({ sessions = [] }: PeerStatus, weight: FindingWeight | null): SegmentState {
  if (weight === "broken" || weight === "degraded") return weight;
  const counts = countRoutes(sessions);
  if (counts === null) return "unknown";
  return counts.received === 0 ? "not reached" : "good";
}

/** Whether a session is up. */
export function isEstablished({ state }: { readonly state: string }): boolean {
  return state === "Established";
}

/** Another server reports no sessions, but has a word for all of them. */
function isAnySessionUp({ sessions = [], bgp_status }: PeerStatus): boolean {
  if (sessions.length > 0) return sessions.some(isEstablished);
  return bgp_status === "OK" || bgp_status === "Issues";
}
