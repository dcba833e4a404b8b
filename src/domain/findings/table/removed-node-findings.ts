/** What only the server finds about a node that the provider takes out of service. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";
import { operatorOnly } from "./node-rows.ts";
import { countOf } from "../../text/plural.ts";

const { word, number } = factKinds;

export const removedNodeFindings = {
  "node-draining": findingRow(
    { host: word },
    {
      segment: "node",
      weight: "note",
      sentence: "This node will be taken out of service",
      explanation: ({ host }) =>
        `The provider will take ${host} out of service. Until then your peering keeps running.`,
      participantFix: "Create a peering on another node, then delete this one.",
    },
  ),
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
        `${node} is none of the provider's nodes, and the database still has ` +
        `${countOf(peerings, "peering")} on it` +
        `${conflicts === 0 ? "" : `, with ${countOf(conflicts, "conflict")}`}.`,
      providerFix: ({ node }) =>
        `Let the node join again with peerdeck nodes add ${node}, or run: peerdeck nodes remove ${node}`,
    },
  ),
  /** Until the node responds. */
  "removed-node-pending": findingRow(
    { node: word, peerings: number },
    {
      ...operatorOnly,
      explanation: ({ node, peerings }) =>
        `${node} was removed and does not respond, so that ${countOf(peerings, "peering")} may still run on it.`,
      providerFix: ({ node }) =>
        "The server takes them down when the node responds. If its host is gone or the peerings may run on, run: " +
        `peerdeck nodes remove ${node} --keep`,
    },
  ),
};
