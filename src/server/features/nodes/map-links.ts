import type { Connection } from "../../../contract/entities.ts";
import { nodeReadMs } from "../../../contract/patience.ts";
import type { Agents } from "./agents.ts";

/**
 * The links between the provider's nodes, one entry a pair. Each end reports its own view, and a link is up
 * when every end that answers says so. A node that does not answer leaves it to the other ends.
 */
export async function mapLinks(agents: Agents): Promise<Connection[]> {
  const reports = await Promise.all(
    agents.nodes.map((node) =>
      agents.ask(node, "links", undefined, { timeoutMs: nodeReadMs }).catch(() => []),
    ),
  );
  const links = new Map<string, Connection>();
  for (const { from, to, status } of reports.flat()) {
    const [first, second] = from < to ? [from, to] : [to, from];
    const key = `${first} ${second}`;
    if (links.get(key)?.status !== "down") links.set(key, { from: first, to: second, status });
  }
  return [...links.values()];
}
