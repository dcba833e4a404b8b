import type { ValuesInUse } from "#contract/agent.ts";
import { NodeUnreachableError } from "../../agents/agent-client.ts";
import type { NodeReader } from "../../agents/node-reader.ts";

/** A submit to a node that does not respond waits no longer than this. */
const timeoutMs = 1_000;

/**
 * Reads what else the node's machine uses. Nothing if the node does not respond: the agent itself refuses a port that is
 * in use.
 */
export async function readValuesInUse(
  nodeReader: Pick<NodeReader, "read">,
  node: string,
): Promise<ValuesInUse> {
  try {
    return await nodeReader.read(node, "inUse", { timeoutMs });
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    return { ports: [], addresses: [] };
  }
}
