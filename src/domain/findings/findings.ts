/**
 * What can be wrong, once: a finding is a code with facts, and the table has everything that is said about it.
 *
 * Everything that shows or counts a fault reads the table: the path of a peering, cards, alerts, checks, and the reasons of
 * failed deployments. To add a finding: docs/architecture.md.
 */
import { type FactsOf, readFacts } from "../../contract/agent/findings.ts";
import { agentFindings } from "./table/agent-findings.ts";
import { deploymentFindings } from "./table/deployment-findings.ts";
import { endpointFindings } from "./table/endpoint-findings.ts";
import { filterFindings } from "./table/filter-findings.ts";
import type { FindingRow } from "./table/finding-row.ts";
import { foreignFindings } from "./table/foreign-findings.ts";
import { forwardingFindings } from "./table/forwarding-findings.ts";
import { nodeFindings } from "./table/node-findings.ts";
import { removedNodeFindings } from "./table/removed-node-findings.ts";
import { routerFindings } from "./table/router-findings.ts";
import { routesFindings } from "./table/routes-findings.ts";
import { sessionFindings } from "./table/session-findings.ts";
import { tunnelFindings } from "./table/tunnel-findings.ts";

export const findingTable = {
  ...endpointFindings,
  ...tunnelFindings,
  ...sessionFindings,
  ...routesFindings,
  ...nodeFindings,
  ...forwardingFindings,
  ...filterFindings,
  ...removedNodeFindings,
  ...routerFindings,
  ...deploymentFindings,
  ...agentFindings,
  ...foreignFindings,
};

type Table = typeof findingTable;
export type FindingCode = keyof Table;

/** A code with exactly the facts of its row. */
export type Finding = {
  readonly [Code in FindingCode]: { readonly code: Code; readonly facts: FactsOf<Table[Code]["facts"]> };
}[FindingCode];

export function rowOf({ code }: Pick<Finding, "code">): FindingRow {
  return findingTable[code] as unknown as FindingRow;
}

interface SentFinding {
  readonly code: string;
  readonly facts: unknown;
}

/** The finding that another program sent; null if the table lacks its code, or the facts are not those of its row. */
export function readFinding({ code, facts }: SentFinding): Finding | null {
  if (!Object.hasOwn(findingTable, code)) return null;
  const known = code as FindingCode;
  const read = readFacts(rowOf({ code: known }).facts, facts);
  return read && ({ code: known, facts: read } as Finding);
}

/** What an agent sent. A code that the table lacks counts as a problem of the node. */
export function readAgentFinding(sent: SentFinding): Finding {
  return readFinding(sent) ?? { code: "unknown-finding", facts: { code: sent.code } };
}

export function readFindings(sent: readonly SentFinding[]): readonly Finding[] {
  return sent.map(readAgentFinding);
}

type TextName = "sentence" | "explanation" | "participantFix" | "providerFix";

function textOf({ code, facts }: Finding, name: TextName): string {
  const text = rowOf({ code })[name];
  return typeof text === "function" ? text(facts) : (text ?? "");
}

/** What is wrong, at most eight words, without a full stop. */
export function shortSentence(finding: Finding): string {
  return textOf(finding, "sentence");
}

/** What is wrong, without how to fix it. */
export function explainFinding(finding: Finding): string {
  return textOf(finding, "explanation");
}

/** Whether the explanation says more than the short sentence. */
export function isExplained(finding: Finding): boolean {
  return textOf(finding, "explanation") !== `${textOf(finding, "sentence")}.`;
}

/** How the participant fixes it; empty if the participant cannot. */
export function participantFix(finding: Finding): string {
  return textOf(finding, "participantFix");
}

export function hasParticipantFix(finding: Finding): boolean {
  return rowOf(finding).participantFix !== undefined;
}

/** How the provider fixes it; empty if the explanation says it. */
export function providerFix(finding: Finding): string {
  return textOf(finding, "providerFix");
}

/** What is wrong and how the participant fixes it: an `issues` string of the specification. */
export function describeToParticipant(finding: Finding): string {
  return joinSentences(explainFinding(finding), participantFix(finding));
}

/** What is wrong and how the provider fixes it. */
export function describeToOperator(finding: Finding): string {
  return joinSentences(explainFinding(finding), providerFix(finding));
}

export function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** The findings of a node that everyone may read; if only the operator may read its faults, one that says that there are some. */
export function publicFindings(findings: readonly Finding[]): readonly Finding[] {
  const shown = findings.filter((finding) => rowOf(finding).audience !== "operator").map(withPublicFacts);
  const known = new Set(shown.map(({ code }) => code));
  const codes = new Set(findings.flatMap((finding) => rowOf(finding).publicCode ?? []));
  const others = Array.from(codes).filter((code) => !known.has(code));
  const open = [...shown, ...others.map((code): Finding => ({ code, facts: {} }))];
  return open.length === 0 && findings.some(isFault) ? [{ code: "node-problem", facts: {} }] : open;
}

function withPublicFacts(finding: Finding): Finding {
  const { publicFacts } = rowOf(finding);
  return publicFacts ? ({ ...finding, facts: { ...finding.facts, ...publicFacts } } as Finding) : finding;
}

/** Whether a finding changes the state of its segment. */
export function isFault(finding: Finding): boolean {
  return rowOf(finding).weight !== "note";
}

/** Whether a finding says that something is wrong, and not only that its state cannot be known. */
export function isKnownFault(finding: Finding): boolean {
  const { weight } = rowOf(finding);
  return weight === "degraded" || weight === "broken";
}
