import type { Environment } from "#server/config/environment.ts";
import { countOf } from "#domain/text/plural.ts";
import { countPeeringsByNode } from "#server/features/peerings/node-capacity.ts";
import { invalidArguments } from "../command-line.ts";
import { applyChange } from "./apply-change.ts";
import { parseNodeArguments, type Print, withNodes } from "./open-nodes.ts";

const usage = `peerdeck nodes limit NAME N|none [--json]
  Sets the most peerings that a node accepts, from 1 to 1000000. A node with more of them keeps them.`;

const maxLimit = 1_000_000;

/** Runs `nodes limit` and returns its exit code. */
export async function runLimitNode(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const { values, name, others } = parseNodeArguments(args, {}, usage);
  const [typed, ...more] = others;
  if (typed === undefined || more.length > 0) throw invalidArguments("Give one NAME and one limit", usage);
  const maxPeerings = readLimit(typed);
  return withNodes(environment, { isJson: values.json === true, print }, async (context) => {
    await applyChange(context, name, (node) => ({ ...node, maxPeerings }));
    const count = (await countPeeringsByNode(context.db)).get(name) ?? 0;
    if (maxPeerings !== null && count >= maxPeerings)
      context.say(`${name} has ${countOf(count, "peering")}, so it is full.`);
    return 0;
  });
}

function readLimit(typed: string): number | null {
  if (typed === "none") return null;
  const limit = Number(typed);
  if (!/^\d+$/.test(typed) || limit < 1 || limit > maxLimit) {
    const advice = limit === 0 ? ". To accept none: peerdeck nodes close" : "";
    throw invalidArguments(`The limit ${typed} is no number from 1 to ${maxLimit}${advice}`, usage);
  }
  return limit;
}
