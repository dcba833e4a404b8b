import type { Environment } from "#server/config/environment.ts";
import type { NodeState } from "#server/nodes/provider-node.ts";
import { invalidArguments } from "../command-line.ts";
import { applyChange } from "./apply-change.ts";
import { parseNodeArguments, type Print, withNodes } from "./open-nodes.ts";

const openUsage = `peerdeck nodes open NAME [--review] [--json]
  Lets a node accept new peerings, up to its limit.
  --review  an operator decides about each new peering; until that is possible, the node accepts none`;

const closeUsage = `peerdeck nodes close NAME [--draining] [--json]
  Lets a node accept no new peerings. Existing ones can be changed and deleted.
  --draining  participants also read that the node will be taken out of service`;

/** Runs `nodes open` and returns its exit code. */
export async function runOpenNode(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const { values, name, others } = parseNodeArguments(args, { review: { type: "boolean" } }, openUsage);
  if (others.length > 0) throw invalidArguments("Give one NAME", openUsage);
  return setState(name, values.review === true ? "review" : "open", {
    environment,
    isJson: values.json === true,
    print,
  });
}

/** Runs `nodes close` and returns its exit code. */
export async function runCloseNode(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const { values, name, others } = parseNodeArguments(args, { draining: { type: "boolean" } }, closeUsage);
  if (others.length > 0) throw invalidArguments("Give one NAME", closeUsage);
  return setState(name, values.draining === true ? "draining" : "closed", {
    environment,
    isJson: values.json === true,
    print,
  });
}

interface Invocation {
  readonly environment: Environment;
  readonly isJson: boolean;
  readonly print: Print;
}

async function setState(
  name: string,
  state: NodeState,
  { environment, ...output }: Invocation,
): Promise<number> {
  return withNodes(environment, output, async (context) => {
    await applyChange(context, name, (node) => ({ ...node, state }));
    return 0;
  });
}
