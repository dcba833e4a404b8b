/**
 * What participants read of a node's issues. The issues are written for the operator: they name files, interfaces and other
 * participants. Participants read those that concern them, in other words.
 */
import type { NodeHealth } from "../../contract/agent.ts";

const operatorOnly = "This node has a problem. Its operator can see the details.";

/** Returns the public issues; if the operator's issues have no public words, one sentence says that there are some. */
export function describePublicly(
  issues: NodeHealth["issues"],
  publicIssues: NodeHealth["issues"],
): NodeHealth["issues"] {
  return issues.length > 0 && publicIssues.length === 0 ? [operatorOnly] : publicIssues;
}
