import { nodeHost } from "#contract/node-host.ts";
import type { Environment } from "#server/config/environment.ts";
import { listNodes } from "#server/features/nodes/list-nodes.ts";
import { describeNode, UnknownNodeError } from "#server/nodes/change-node.ts";
import { invalidArguments } from "../command-line.ts";
import { describeUnknownNode, parseNodeArguments, type Print, toMinute, withNodes } from "./open-nodes.ts";

const usage = `peerdeck nodes show NAME [--json]
  Shows everything that is stored of a node.`;

/** Runs `nodes show` and returns its exit code. */
export async function runShowNode(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const { values, name, others } = parseNodeArguments(args, {}, usage);
  if (others.length > 0) throw invalidArguments("Give one NAME", usage);
  return withNodes(environment, { isJson: values.json === true, print }, async (context) => {
    const { nodes } = await listNodes(context.db, context.clock());
    const node = nodes.find((each) => each.name === name);
    if (!node) throw describeUnknownNode(name, new UnknownNodeError(nodes.map((each) => each.name)));
    const rows = Object.entries({
      host: nodeHost(name, context.profile.domain),
      ...describeNode(node),
      state: node.shown,
      peerings: node.peerings,
      "public key": node.publicKey,
      "agent version": node.agentVersion,
      "agent seen": node.seenAt && toMinute(node.seenAt),
      joined: node.joinedAt && toMinute(node.joinedAt),
    });
    const width = Math.max(...rows.map(([label]) => label.length));
    context.say(rows.map(([label, value]) => `${label.padEnd(width)}  ${value ?? "none"}`).join("\n"));
    context.report(node);
    return 0;
  });
}
