/** What only the server finds about a node that was removed from the provider profile. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";
import { operatorOnly } from "./node-rows.ts";
import { countOf } from "../../text/plural.ts";

const { word, number } = factKinds;

export const removedNodeFindings = {
  "node-out-of-service": findingRow(
    {},
    {
      segment: "node",
      weight: "unknown",
      sentence: "The provider took this node out of service",
      explanation: "The provider has taken this node out of service.",
      participantFix: "You can delete the peering here and create one on another node.",
    },
  ),
  /** Until the operator decides. */
  "removed-node-peerings": findingRow(
    { node: word, peerings: number, conflicts: number },
    {
      ...operatorOnly,
      explanation: ({ node, peerings, conflicts }) =>
        `${node} is not in the provider profile any more, and the database still has ` +
        `${countOf(peerings, "peering")} on it` +
        `${conflicts === 0 ? "" : `, with ${countOf(conflicts, "conflict")}`}.`,
      providerFix: ({ node }) =>
        `Put the node back into the profile, or run: peerdeck forget-node --node ${node}`,
    },
  ),
};
