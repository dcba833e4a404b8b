/**
 * Decides which events of an agent are recorded, and with which words.
 *
 * An agent may be hostile: its node was compromised. The contract bounds how many events an answer has. They concern only
 * peerings of the node, their text is bounded, and no text of the agent reaches a participant.
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

interface NewEvent {
  readonly id: string;
  readonly kind: AuditKind;
  readonly asn: string | null;
  readonly detail: string;
  readonly at: number;
}

/** Clocks that differ less count as equal, so that a slow response does not change the order of events. */
const toleranceMs = 60_000;
/** Limits the operator's text of an event, in UTF-16 code units. An agent may report many findings, with long outputs. */
const maxDetailLength = 600;

export interface RecordedEvents {
  readonly recorded: ReadonlyArray<Pick<NewEvent, "kind" | "asn">>;
  /** How many must not be recorded. */
  readonly skipped: number;
}

/** Records events within the caller's transaction, unless they are recorded already. */
export async function recordAgentEvents(tx: Db, collected: CollectedEvents): Promise<RecordedEvents> {
  const { node, events } = collected;
  const peerings = await findPeerings(tx, node);
  const accepted = events.flatMap((event) => acceptEvent(event, collected, peerings) ?? []);
  const known = await findRecorded(tx, collected);
  const recorded: NewEvent[] = [];
  for (const { id, at, kind, asn, detail } of [...findGap(collected), ...accepted]) {
    if (known.has(id)) continue;
    known.add(id);
    const event = await recordEvent(tx, { kind, asn, node, ...(detail !== "" && { detail }) }, noOrigin, at);
    await tx.insertInto("agent_events").values({ node, id, event }).execute();
    recorded.push({ id, at, kind, asn, detail });
  }
  return { recorded, skipped: events.length - accepted.length };
}

/** Returns what is recorded of an event; null if its kind is unknown, its AS has no peering on the node, or it is too old. */
function acceptEvent(
  event: AgentEvent,
  { now, time, keepMs }: CollectedEvents,
  peerings: ReadonlySet<string>,
): NewEvent | null {
  const { id, kind, asn } = event;
  if (!isKnownKind(kind) || isAboutNode(kind) !== (asn === null)) return null;
  if (asn !== null && !peerings.has(asn)) return null;
  // If the agent's clock is wrong, the ages of its events are still right.
  const clockDifference = Math.abs(time - now) <= toleranceMs ? 0 : time - now;
  const at = Math.min(time, event.at + clockDifference);
  return at < time - keepMs ? null : { id, kind, asn, at, detail: describe(event).slice(0, maxDetailLength) };
}

/** The event that says that the agent dropped events before these, if it did. */
function findGap({ events: [first], position, time }: CollectedEvents): readonly NewEvent[] {
  const missed = first && position ? first.number - position.number - 1 : 0;
  if (!first || missed <= 0) return [];
  const id = `before ${first.id}`;
  return [{ id, kind: "agent-events-missed", asn: null, at: time, detail: `Missing: ${missed}.` }];
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
