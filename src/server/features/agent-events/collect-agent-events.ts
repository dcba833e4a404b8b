/**
 * Collects what an agent did by itself into the audit log and the server's log.
 *
 * Invariants:
 * - Each event is recorded once: its ID is stored in the transaction that records it, together with the position in the
 *   node's list. An agent whose list was lost, or restored from a copy, may return events again; they are recognised by
 *   their IDs. A restored database has the position of its time, so it collects what it lacks.
 * - The caller holds the lock of the node. If another server collects all the same, one of the two transactions fails.
 * - However often it is called, it reads one answer of a node in `minIntervalMs`. Together with the bounds of an answer this
 *   limits what a hostile agent can write.
 * - Nothing that a hostile agent returns is trusted: `record-agent-events.ts` says what is recorded.
 */
import type { Logger } from "pino";
import { type AgentCalls } from "#contract/agent.ts";
import type { CallResponse } from "#contract/call.ts";
import { type AgentClient, NodeUnreachableError } from "../../agents/agent-client.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import { type EventPosition, recordAgentEvents } from "./record-agent-events.ts";

export interface AgentEventsDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "audit">;
  readonly log: Logger;
  readonly clock: () => number;
  readonly minIntervalMs: number;
}

const dayMs = 24 * 3_600_000;

/** The returned function rejects with `NodeUnreachableError` if the node does not respond. */
export function createEventCollector(
  deps: AgentEventsDeps,
): (agents: AgentClient, node: string) => Promise<void> {
  const readAt = new Map<string, number>();
  return async (agents, node) => {
    const now = performance.now();
    if (now - (readAt.get(node) ?? -Infinity) < deps.minIntervalMs) return;
    readAt.set(node, now);
    await collectEvents(deps, agents, node);
  };
}

async function collectEvents(
  { db, clock, log, profile }: AgentEventsDeps,
  agents: AgentClient,
  node: string,
): Promise<void> {
  const position = await readPosition(db, node);
  const response = await readEvents({ agents, log }, node, position?.id ?? null);
  const last = response?.events.at(-1);
  if (!response || !last) return;
  const { recorded, skipped } = await db.transaction().execute(async (tx) => {
    await movePosition(tx, node, position, last);
    const keepMs = profile.audit.keepDays * dayMs;
    return recordAgentEvents(tx, { ...response, node, position, time: clock(), keepMs });
  });
  if (recorded.length === 0 && skipped === 0) return;
  const events = recorded.map(({ kind, asn }) => (asn === null ? kind : `${kind} AS${asn}`));
  log.info({ node, events, skipped }, "collected the events of an agent");
}

/** Returns null if the agent responds with an error, or its response breaks the contract. */
async function readEvents(
  { agents, log }: { readonly agents: AgentClient; readonly log: Logger },
  node: string,
  after: string | null,
): Promise<CallResponse<AgentCalls["events"]> | null> {
  try {
    return await agents.ask(node, "events", { after });
  } catch (error) {
    if (!(error instanceof NodeUnreachableError) || !error.hasResponded) throw error;
    log.warn({ err: error, node }, "the events of a node could not be read");
    return null;
  }
}

async function readPosition(db: Db, node: string): Promise<EventPosition | null> {
  const row = await db
    .selectFrom("agent_event_positions")
    .select(["id", "number"])
    .where("node", "=", node)
    .executeTakeFirst();
  return row ?? null;
}

/** Rejects if another server has moved the position since it was read. */
async function movePosition(
  tx: Db,
  node: string,
  from: EventPosition | null,
  { id, number }: EventPosition,
): Promise<void> {
  if (from === null) {
    await tx.insertInto("agent_event_positions").values({ node, id, number }).execute();
    return;
  }
  const { numUpdatedRows } = await tx
    .updateTable("agent_event_positions")
    .set({ id, number })
    .where("node", "=", node)
    .where("id", "=", from.id)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`another server has collected the events of ${node}`);
}
