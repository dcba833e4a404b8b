import type { NodeHistory } from "../../../contract/entities.ts";

const listed = new Intl.ListFormat("en-GB");

/** All nodes in a sentence: "All 6 nodes are OK.", "1 of 6 nodes is down: za01. 2 have issues: de01 and ny01." */
export function describeNodes(histories: readonly NodeHistory[]): string {
  const all = histories.length;
  const inState = (state: NodeHistory["now"]) =>
    histories.filter(({ now }) => now === state).map(({ node }) => node);
  if (inState("OK").length === all) return all === 1 ? "The node is OK." : `All ${all} nodes are OK.`;
  if (inState(null).length === all)
    return "No data: nobody has looked at the nodes in the last five minutes.";
  const parts = [
    [inState("Down"), "is down", "are down"],
    [inState("Issues"), "has issues", "have issues"],
    [
      inState(null),
      "was not looked at in the last five minutes",
      "were not looked at in the last five minutes",
    ],
  ] as const;
  return parts
    .filter(([nodes]) => nodes.length > 0)
    .map(([nodes, one, several], index) => {
      const among = index === 0 ? ` of ${all} nodes` : "";
      return `${nodes.length}${among} ${nodes.length === 1 ? one : several}: ${listed.format(nodes)}.`;
    })
    .join(" ");
}
