/** What is wrong with a peering, as its status says it. */
import type { PeerStatus } from "../../contract/lenient.ts";
import type { FindingSegment } from "./table/finding-row.ts";
import {
  describeToParticipant,
  type Finding,
  type FindingCode,
  isFault,
  isKnownFault,
  readFinding,
  rowOf,
} from "./findings.ts";

/** What the server found, or what the words of a server mean that sends no findings, or one that this table lacks. */
export function findingsOf(status: PeerStatus): readonly Finding[] {
  return readSentFindings(status) ?? readStatusWords(status);
}

function readSentFindings({ findings }: Pick<PeerStatus, "findings">): readonly Finding[] | null {
  const read = findings?.flatMap((sent) => readFinding(sent) ?? []);
  return read && read.length === findings?.length ? read : null;
}

/** The segments that the cards of a status are about. */
export const cardSegments = {
  wireguard: ["node", "endpoint", "tunnel"],
  bgp: ["session", "routes"],
} as const satisfies Readonly<Record<string, readonly FindingSegment[]>>;
export type IssueCard = keyof typeof cardSegments;

/** An issue of a card; the finding is null if the server sent a text alone. */
export interface Issue {
  readonly text: string;
  readonly finding: Finding | null;
}

/** The issues of a card: what is wrong and how to fix it. */
export function issuesOf(status: PeerStatus, card: IssueCard): readonly Issue[] {
  const sent = readSentFindings(status);
  const texts = card === "wireguard" ? status.wg_status.issues : [];
  if (sent === null) return texts.map((text) => ({ text, finding: null }));
  return faultsOf(sent, card).map((finding) => ({ text: describeToParticipant(finding), finding }));
}

/** The faults that a card is about. */
export function faultsOf(findings: readonly Finding[], card: IssueCard): readonly Finding[] {
  const segments: readonly FindingSegment[] = cardSegments[card];
  return findings.filter((finding) => isFault(finding) && segments.includes(rowOf(finding).segment));
}

/** Notes that are shown in a way of their own: as the name of the endpoint's segment, and as the sentence about routes. */
const shownElsewhere: ReadonlySet<string> = new Set(["no-endpoint", "no-routes"] satisfies FindingCode[]);

/** What was found about a card's segments that changes no state. */
export function notesOf(status: PeerStatus, card: IssueCard): readonly Finding[] {
  const segments: readonly FindingSegment[] = cardSegments[card];
  return allNotesOf(status).filter((finding) => segments.includes(rowOf(finding).segment));
}

/** All notes about a peering, in the order in which they were found. */
export function allNotesOf(status: PeerStatus): readonly Finding[] {
  const sent = readSentFindings(status) ?? [];
  return sent.filter((finding) => !isFault(finding) && !shownElsewhere.has(finding.code));
}

/** Whether a part of a peering has something wrong. */
export function hasFaultIn(status: PeerStatus, card: IssueCard): boolean {
  const sent = readSentFindings(status);
  if (sent === null) return card === "wireguard" && status.wg_status.issues.length > 0;
  return faultsOf(sent, card).length > 0;
}

/** Whether a part of a peering is known to have something wrong: what cannot be known is no fault of it. */
export function hasKnownFaultIn(status: PeerStatus, card: IssueCard): boolean {
  const sent = readSentFindings(status);
  return sent === null ? hasFaultIn(status, card) : faultsOf(sent, card).some(isKnownFault);
}

const awaited: ReadonlySet<string> = new Set(["router-awaited", "session-awaited"] satisfies FindingCode[]);

/** Whether a finding says that the node is ready and waits for the participant's router, which is no fault. */
export function isAwaited({ code }: Pick<Finding, "code">): boolean {
  return awaited.has(code);
}

/** Whether a part of a peering waits for the participant's router, and nothing else is known to be wrong with it. */
export function isAwaitedIn(status: PeerStatus, card: IssueCard): boolean {
  const faults = faultsOf(readSentFindings(status) ?? [], card);
  return faults.some(isAwaited) && !faults.some(isKnownFault);
}

/** What a status means that has the specification's words alone. */
function readStatusWords(status: PeerStatus): readonly Finding[] {
  const { node, known, bgp_status: bgp, wg_status, sessions = [] } = status;
  const { state, issues } = wg_status;
  if (!known) return [{ code: "node-unreachable", facts: { host: node, cause: null } }];
  if (bgp === "Not found" && sessions.length === 0 && state !== "Up")
    return [{ code: "not-deployed", facts: { host: node } }];
  return [...readTunnelWord(state, issues.length > 0), ...readBgpWord(bgp)];
}

function readTunnelWord(state: string, hasIssues: boolean): readonly Finding[] {
  if (state === "Up") return hasIssues ? [{ code: "tunnel-issue", facts: {} }] : [];
  if (state === "Down") return [{ code: "tunnel-down", facts: {} }];
  return state === "" ? [] : [{ code: "tunnel-other", facts: { state: wordsOf(state) } }];
}

function readBgpWord(status: string): readonly Finding[] {
  switch (status) {
    case "OK":
    case "":
      return [];
    case "Issues":
      return [{ code: "bgp-issue", facts: {} }];
    case "Down":
      return [{ code: "bgp-down", facts: {} }];
    case "Not found":
      return [{ code: "bgp-not-found", facts: {} }];
    default:
      return [{ code: "bgp-other", facts: { state: wordsOf(status) } }];
  }
}

/** Another server's word for a state may be a sentence. */
function wordsOf(state: string): string[] {
  return state.split(/\s+/).slice(0, 20);
}
