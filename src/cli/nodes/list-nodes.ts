import type { Environment } from "#server/config/environment.ts";
import { listNodes, type ListedNode, type ListedNodes } from "#server/features/nodes/list-nodes.ts";
import { countOf } from "#domain/text/plural.ts";
import { parseArguments } from "../command-line.ts";
import { type Print, toMinute, withNodes } from "./open-nodes.ts";

const usage = `peerdeck nodes list [--json]
  Lists the nodes in their order, then those that may join, and removed ones on which peerings are still to be taken down.
  state: open, review, full (it is open and has reached its limit), closed or draining
  agent: its version, and when the server was last in contact with it`;

/** Runs `nodes list` and returns its exit code. */
export async function runListNodes(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const { values } = parseArguments(args, { options: { json: { type: "boolean" } } }, usage);
  return withNodes(
    environment,
    { isJson: values.json === true, print },
    async ({ db, clock, say, report }) => {
      const listed = await listNodes(db, clock());
      say(render(listed));
      report(listed);
      return 0;
    },
  );
}

const columns = ["node", "state", "peerings", "place", "address", "agent"] as const;

function render({ nodes, joins, removed }: ListedNodes): string {
  return [
    ...(nodes.length === 0
      ? [`There are no nodes.${joins.length === 0 ? " To add one: peerdeck nodes add --help" : ""}`]
      : renderTable([columns, ...nodes.map(toCells)])),
    ...joins.map(
      ({ node, validUntil }) => `${node} has not joined. Its line is valid until ${toMinute(validUntil)}.`,
    ),
    ...removed.map(
      ({ node, removedAt, peerings }) =>
        `${node} was removed ${toMinute(removedAt)}. ${countOf(peerings.length, "peering")} may still run on it.`,
    ),
  ].join("\n");
}

function toCells({ name, shown, peerings, maxPeerings, place, publicIp, agentVersion, seenAt }: ListedNode) {
  const agent = seenAt === null ? "not seen yet" : `${agentVersion ?? "unknown"}, ${toMinute(seenAt)}`;
  return [name, shown, `${peerings}/${maxPeerings ?? "-"}`, place, publicIp, agent];
}

function renderTable(rows: ReadonlyArray<readonly string[]>): readonly string[] {
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
