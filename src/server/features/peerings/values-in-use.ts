import type { ValuesInUse } from "#contract/agent.ts";
import { NodeUnreachableError } from "../../agents/agent-client.ts";
import type { NodeReader } from "../../agents/node-reader.ts";
import { hasNode, type Profile } from "../../config/profile.ts";

export interface InUseDeps {
  readonly nodeReader: Pick<NodeReader, "read">;
  readonly profile: Profile;
}

const nothing: ValuesInUse = { ports: [], addresses: [] };
/** A submit to a node that does not respond waits no longer than this. */
const timeoutMs = 1_000;

/**
 * Reads what else the node's machine uses. Nothing if there is no such node, or it does not respond: the agent itself refuses a
 * port that is in use.
 */
export async function readValuesInUse(
  { nodeReader, profile }: InUseDeps,
  node: string,
): Promise<ValuesInUse> {
  if (!hasNode(profile, node)) return nothing;
  try {
    return await nodeReader.read(node, "inUse", { timeoutMs });
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    return nothing;
  }
}
