import type { AgentClient } from "#server/agents/agent-client.ts";

/** Keeps the body of a call far below the agent's limit. */
const maxPerCall = 500;

/**
 * Lets the database change and remove these peerings of a node, if their generations are still the same. Returns the AS
 * numbers of those with another generation. Rejects like `AgentClient.ask`.
 */
export async function pairPeerings(
  agents: AgentClient,
  node: string,
  database: string,
  peerings: ReadonlyArray<{ readonly asn: string; readonly generation: number }>,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (let start = 0; start < peerings.length; start += maxPerCall) {
    const part = peerings.slice(start, start + maxPerCall);
    changed.push(...(await agents.ask(node, "pair", { database, peerings: part })).changed);
  }
  return changed;
}
