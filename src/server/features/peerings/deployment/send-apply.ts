import type { ApplyOutcome, Peering } from "#contract/agent.ts";
import type { AgentClient } from "#server/agents/agent-client.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import type { Db } from "#server/db/open.ts";

export interface ApplyRequest {
  readonly asn: string;
  readonly generation: number;
  readonly desired: Peering | null;
  /** The generations of this peering that the database knows. The node does not replace another one. */
  readonly knownGenerations: number[];
}

/** Sends a desired peering to a node, with the identity of the database. Rejects like `AgentClient.ask`. */
export async function sendApply(
  { db, agents }: { readonly db: Db; readonly agents: AgentClient },
  node: string,
  request: ApplyRequest,
  options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<ApplyOutcome> {
  const database = await readDatabaseIdentity(db);
  return agents.ask(node, "apply", { ...request, database }, options);
}
