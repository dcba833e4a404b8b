import type { NodeHistory } from "../../../contract/entities.ts";

/** All nodes in a sentence: "All 6 nodes are OK.", "1 of 6 nodes is down, 2 have issues." */
export function describeNodes(histories: readonly NodeHistory[]): string {
  const all = histories.length;
  const count = (state: NodeHistory["now"]) => histories.filter(({ now }) => now === state).length;
  if (count("OK") === all) return all === 1 ? "The node is OK." : `All ${all} nodes are OK.`;
  if (count(null) === all) return "No data: nobody has looked at the nodes in the last five minutes.";
  const parts = [
    [count("Down"), "is down", "are down"],
    [count("Issues"), "has issues", "have issues"],
    [
      count(null),
      "was not looked at in the last five minutes",
      "were not looked at in the last five minutes",
    ],
  ] as const;
  const told = parts
    .filter(([number]) => number > 0)
    .map(([number, one, several], index) => {
      const nodes = index === 0 ? ` of ${all} nodes` : "";
      return `${number}${nodes} ${number === 1 ? one : several}`;
    });
  return `${told.join(", ")}.`;
}
