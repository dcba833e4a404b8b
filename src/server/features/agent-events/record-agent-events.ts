/**
 * Decides which events of an agent are recorded, and with which words.
 *
 * An agent may be hostile: its node was compromised. What it writes is bounded, concerns only peerings of its own node, and
 * no text of it reaches a participant.
 */
import {
  type AgentEvent,
  type AgentEventKind,
  agentEventKinds,
} from "#contract/call-tables/agent-event-calls.ts";
import type { AuditKind } from "#domain/audit-events.ts";
import { explainFinding, joinSentences, readFindings } from "#domain/findings/findings.ts";
import { describeStep } from "#domain/findings/steps.ts";
import { formatAddress, parseAddress } from "#domain/prefix.ts";
import { noOrigin } from "../../audit/audit-event.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { Db } from "../../db/open.ts";

/** An event of a node's list. */
export interface EventPosition {
  readonly id: string;
  readonly number: number;
}

export interface CollectedEvents {
  readonly node: string;
  readonly events: readonly AgentEvent[];
  /** The present time by the agent's clock. */
  readonly now: number;
  /** The present time by the server's clock. */
  readonly time: number;
  /** Where the previous events ended. */
  readonly position: EventPosition | null;
  /** How long the audit log stores events. */
  readonly keepMs: number;
}

interface SkippedEvent {
  readonly id: string;
  readonly kind: string;
  readonly asn: string | null;
  readonly reason: "unknown kind" | "no peering on the node" | "too old" | "too many";
}

interface NewEvent {
  readonly id: string;
  readonly kind: AuditKind;
  readonly asn: string | null;
  readonly detail: string;
  readonly at: number;
}

/** Clocks that differ less count as equal, so that a slow response does not change the order of events. */
const toleranceMs = 60_000;
const dayMs = 24 * 3_600_000;
/** Of an AS, or of the node itself. An agent lists at most one event of a kind and AS an hour. */
const maxPerSubject = 100;
/** An agent with hundreds of peerings that starts some times a day needs this. */
const maxPerNode = 2_000;

/** Records events within the caller's transaction, unless they are recorded already. Returns those that it must not record. */
export async function recordAgentEvents(
  tx: Db,
  collected: CollectedEvents,
): Promise<readonly SkippedEvent[]> {
  const { node, events, now, time, keepMs } = collected;
  const recorded = await findRecorded(tx, collected);
  const peerings = await findPeerings(tx, node);
  const limit = await openLimit(tx, node, time);
  const skipped: SkippedEvent[] = [];
  // Of an agent whose clock is wrong, only the ages of the events are right.
  const clockDifference = Math.abs(time - now) <= toleranceMs ? 0 : time - now;

  const record = async ({ at, detail, ...event }: NewEvent): Promise<boolean> => {
    const remaining = limit.take(event.asn);
    if (remaining === null) return false;
    const further = remaining === 0 ? "Further ones are not recorded for up to a day." : "";
    const text = joinSentences(detail, further);
    const audited = { kind: event.kind, asn: event.asn, node, ...(text !== "" && { detail: text }) };
    const id = await recordEvent(tx, audited, noOrigin, at);
    const row = { node, id: event.id, event: id, asn: event.asn, recorded_at: time };
    await tx.insertInto("agent_events").values(row).execute();
    return true;
  };

  const gap = findGap(collected);
  if (gap && !recorded.has(gap.id)) await record(gap);
  for (const event of events) {
    if (recorded.has(event.id)) continue;
    recorded.add(event.id);
    const { id, kind, asn } = event;
    const skip = (reason: SkippedEvent["reason"]) => void skipped.push({ id, kind, asn, reason });
    const at = Math.min(time, event.at + clockDifference);
    if (!isKnownKind(kind) || isAboutNode(kind) !== (asn === null)) skip("unknown kind");
    else if (asn !== null && !peerings.has(asn)) skip("no peering on the node");
    else if (at < time - keepMs) skip("too old");
    else if (!(await record({ id, kind, asn, at, detail: describe(event) }))) skip("too many");
  }
  return skipped;
}

/** The event that says that the agent dropped events before these; null if it did not. */
function findGap({ events: [first], position, time }: CollectedEvents): NewEvent | null {
  const missed = first && position ? first.number - position.number - 1 : 0;
  if (!first || missed <= 0) return null;
  const id = `before ${first.id}`;
  return { id, kind: "agent-events-missed", asn: null, at: time, detail: `Missing: ${missed}.` };
}

function isKnownKind(kind: string): kind is AgentEventKind {
  return agentEventKinds.some((known) => known === kind);
}

function isAboutNode(kind: string): boolean {
  return kind.startsWith("router-");
}

/** Only the operator reads events of the node itself, so only these say what was wrong with it. */
function describe({ kind, address, findings, steps, repeats }: AgentEvent): string {
  const sentences = isAboutNode(kind)
    ? [...readFindings(findings).map(explainFinding), ...steps.map(describeStep)].map(asSentence)
    : [describeAddress(address ?? "")];
  if (repeats === 1) sentences.push("This happened once more within an hour.");
  if (repeats > 1) sentences.push(`This happened ${repeats} more times within an hour.`);
  return joinSentences(...sentences);
}

function asSentence(text: string): string {
  return text === "" || /[.!?…]$/.test(text) ? text : `${text}.`;
}

function describeAddress(text: string): string {
  const address = parseAddress(text);
  return address === null ? "" : `The new address is ${formatAddress(address)}.`;
}

async function findRecorded(tx: Db, { node, events }: CollectedEvents): Promise<Set<string>> {
  const ids = events.flatMap(({ id }) => [id, `before ${id}`]);
  const rows = await tx
    .selectFrom("agent_events")
    .select("id")
    .where("node", "=", node)
    .where("id", "in", ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The AS numbers with a peering on the node, also of peerings that are being deleted. */
async function findPeerings(tx: Db, node: string): Promise<ReadonlySet<string>> {
  const rows = await tx.selectFrom("peerings").select("asn").where("node", "=", node).execute();
  return new Set(rows.map(({ asn }) => asn));
}

interface EventLimit {
  /** Takes one event of an AS, or of the node itself. Returns how many remain; null if it is too many. */
  readonly take: (asn: string | null) => number | null;
}

async function openLimit(tx: Db, node: string, time: number): Promise<EventLimit> {
  const rows = await tx
    .selectFrom("agent_events")
    .select(["asn", ({ fn }) => fn.countAll().as("count")])
    .where("node", "=", node)
    .where("recorded_at", ">", time - dayMs)
    .groupBy("asn")
    .execute();
  const counts = new Map(rows.map(({ asn, count }) => [asn, Number(count)]));
  let total = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  return {
    take: (asn) => {
      const count = counts.get(asn) ?? 0;
      if (count >= maxPerSubject || total >= maxPerNode) return null;
      counts.set(asn, count + 1);
      total += 1;
      return Math.min(maxPerSubject - count - 1, maxPerNode - total);
    },
  };
}
