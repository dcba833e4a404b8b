import type { ValuesInUse } from "#contract/agent.ts";
import { NodeUnreachableError } from "../../agents/agent-client.ts";
import type { NodeReader } from "../../agents/node-reader.ts";
import type { Nodes } from "../../nodes/nodes.ts";

export interface InUseDeps {
  readonly nodeReader: Pick<NodeReader, "read">;
  readonly nodes: Pick<Nodes, "find">;
}

const nothing: ValuesInUse = { ports: [], addresses: [] };
/** A submit to a node that does not respond waits no longer than this. */
const timeoutMs = 1_000;

/**
 * Reads what else the node's machine uses. Nothing if there is no such node, or it does not respond: the agent itself refuses a
 * port that is in use.
 */
export async function readValuesInUse({ nodeReader, nodes }: InUseDeps, node: string): Promise<ValuesInUse> {
  if (nodes.find(node) === null) return nothing;
  try {
    return await nodeReader.read(node, "inUse", { timeoutMs });
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    return nothing;
  }
}
