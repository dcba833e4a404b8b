import { changeNode, type ChangedNode, listChanges, UnknownNodeError } from "#server/nodes/change-node.ts";
import { describeUnknownNode, type NodesContext } from "./open-nodes.ts";

type Change = Parameters<typeof changeNode>[2];
type AfterChange = Parameters<typeof changeNode>[3];

/**
 * Changes a node and prints what has changed. Throws `ConfigError` if the provider has no such node, and what `change` throws.
 *
 * @param listNotified returns the AS numbers of the participants that the change notifies
 */
export async function applyChange(
  context: NodesContext,
  name: string,
  change: Change,
  {
    afterChange,
    listNotified = () => [],
  }: { afterChange?: AfterChange; listNotified?: () => readonly string[] } = {},
): Promise<ChangedNode> {
  const changed = await changeNode(context, name, change, afterChange).catch((error: unknown) => {
    throw error instanceof UnknownNodeError ? describeUnknownNode(name, error) : error;
  });
  const changes = listChanges(changed);
  const notified = listNotified();
  context.say(changes.length === 0 ? `${name}: nothing was changed.` : `${name}\n  ${changes.join("\n  ")}`);
  if (notified.length > 0)
    context.say(`\nNotified by mail, push and Activity: ${notified.map((asn) => `AS${asn}`).join(", ")}.`);
  context.report({ node: changed.after, changes, notified });
  return changed;
}
