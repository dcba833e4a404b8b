import type { JoinRequest } from "#contract/agent/node-join.ts";
import { HttpError } from "#contract/http-error.ts";
import { allocateLinkLocal } from "#domain/peering/allocation.ts";
import type { AuditOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { findSharedValues } from "#server/nodes/change-node.ts";
import {
  findJoin,
  findVoidReason,
  markUsed,
  type NodeJoin,
  type VoidReason,
} from "#server/nodes/node-joins.ts";
import { addNodes, findNode, readNodes } from "#server/nodes/node-rows.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import type { AgentValues } from "./agent-values.ts";

interface Attempt {
  readonly join: NodeJoin;
  readonly request: Pick<JoinRequest, "agent" | "agentFingerprint">;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const voidReasons: Readonly<Record<VoidReason, string>> = {
  used: "The join line was used already.",
  guessed: "The join line is void after too many wrong proofs.",
  expired: "The join line has expired, or a newer one replaced it.",
};

/** Whether the node has this agent already. Throws `HttpError` 409 if the agent cannot join with this line any more. */
export async function assertMayJoin(db: Db, { join, request, now }: Attempt): Promise<boolean> {
  const existing = await findNode(db, join.node);
  if (existing && isSameAgent(existing, request)) return true;
  const reason = findVoidReason(join, now);
  if (reason !== null)
    throw conflict(`${voidReasons[reason]} On the server, run peerdeck nodes add for ${join.node} again.`);
  if (existing)
    throw conflict(
      `${join.node} is a node with another agent. To replace it, run on the server: peerdeck nodes remove ${join.node}`,
    );
  return false;
}

/** A first request of the agent names no URL. */
function isSameAgent(node: ProviderNode, { agent, agentFingerprint }: Attempt["request"]): boolean {
  return (
    node.agent?.fingerprint === agentFingerprint &&
    (agent === null || node.agent.url === URL.parse(agent.url)?.origin)
  );
}

export interface NewNode extends Attempt {
  readonly node: AgentValues;
  /** The provider's AS number. */
  readonly asn: string;
  readonly origin: AuditOrigin;
}

/** Adds the node, and returns whether it is new. Throws `HttpError` if it cannot join, or another node has one of its values. */
export async function addNode(db: Db, { node, asn, origin, ...attempt }: NewNode): Promise<boolean> {
  const { join: read, now } = attempt;
  return db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    const join = (await findJoin(tx, read.token)) ?? { ...read, expires_at: 0 };
    if (await assertMayJoin(tx, { ...attempt, join })) return false;
    const others = await readNodes(tx);
    const [shared] = findSharedValues(node, others);
    if (shared) {
      const message = `${shared.message} Nothing was changed. Choose another one.`;
      throw new HttpError(422, { message, field: shared.field });
    }
    // Some BGP daemons tell link-local neighbours apart by address alone.
    const linkLocal = allocateLinkLocal(asn, new Set(others.map((other) => other.linkLocal)));
    await addNodes(tx, [{ ...node, linkLocal }], now);
    await markUsed(tx, join.token, now);
    const detail = `Its agent is at ${node.agent?.url}.`;
    await recordEvent(tx, { kind: "node-joined", asn: null, node: node.name, detail }, origin, now);
    return true;
  });
}

function conflict(message: string): HttpError {
  return new HttpError(409, { message });
}
