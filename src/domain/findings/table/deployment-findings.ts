/** Why a change of a peering was not deployed. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";

const { word, number } = factKinds;

const refused = { segment: "node", weight: "broken" } as const;

const detailsInLog = "The log of the node's agent has the details: journalctl -u peerdeck-agent.";

export const deploymentFindings = {
  "not-deployed": findingRow(
    { host: word },
    {
      ...refused,
      sentence: "The node does not run this peering yet",
      explanation: ({ host }) => `${host} does not run this peering yet.`,
    },
  ),
  "deployment-unfinished": findingRow(
    {},
    {
      ...refused,
      sentence: "The node does not run this peering yet",
      explanation: "The deployment has not finished yet.",
    },
  ),
  "node-not-reached": findingRow(
    { host: word },
    {
      ...refused,
      sentence: "The node could not be reached in time",
      explanation: ({ host }) => `${host} could not be reached in time.`,
      participantFix: "Try again when the node is back.",
    },
  ),
  "value-rejected": findingRow(
    { field: word },
    {
      ...refused,
      sentence: "The node does not accept a value",
      explanation: ({ field }) => `The node does not accept the value of ${field}.`,
      participantFix: "Review it and submit again.",
      providerFix: detailsInLog,
    },
  ),
  "value-in-use": findingRow(
    { field: word, value: word },
    {
      ...refused,
      sentence: "Another AS uses a value of yours",
      explanation: ({ field, value }) => `${field}: ${value} is used by another AS on this node.`,
      participantFix: "Choose another one and submit again. If this one is yours, contact support.",
    },
  ),
  "port-taken": findingRow(
    { port: number },
    {
      ...refused,
      sentence: "Another program uses your tunnel's port",
      explanation: ({ port }) =>
        `Another program of the node uses UDP port ${port}, which your tunnel should get.`,
      participantFix: "Submit again to get another port.",
    },
  ),
  "node-key-missing": findingRow(
    { publicKey: word },
    {
      ...refused,
      sentence: "The node lacks the tunnel's WireGuard key",
      explanation: ({ publicKey }) =>
        `The node does not have the WireGuard key ${publicKey}, which the tunnel should use.`,
      participantFix: "Contact support.",
      providerFix: "Move the peering to another key of the node.",
    },
  ),
  "interface-taken": findingRow(
    {},
    {
      ...refused,
      sentence: "Another interface has your tunnel's name",
      explanation:
        "The node has an interface in the place of your tunnel that Peerdeck did not create. The provider must remove it first.",
      providerFix: detailsInLog,
    },
  ),
  "tunnel-not-set-up": findingRow(
    {},
    {
      ...refused,
      sentence: "The router could not set up the tunnel",
      explanation: "The router could not set up the tunnel.",
      providerFix: detailsInLog,
    },
  ),
  "packet-filter-not-set-up": findingRow(
    {},
    {
      ...refused,
      sentence: "The router could not set up the filter",
      explanation: "The router could not set up the packet filter of the tunnel.",
      providerFix: detailsInLog,
    },
  ),
  "bird-refused": findingRow(
    {},
    {
      ...refused,
      sentence: "BIRD refused the new configuration",
      explanation: "BIRD refused the new configuration.",
      providerFix: detailsInLog,
    },
  ),
  "health-check-failed": findingRow(
    {},
    {
      ...refused,
      sentence: "The new configuration failed the health check",
      explanation: "The new configuration failed the router's health check and was rolled back.",
      providerFix: detailsInLog,
    },
  ),
  "state-not-saved": findingRow(
    {},
    {
      ...refused,
      sentence: "The node could not save the configuration",
      explanation: "The node could not save the new configuration.",
      providerFix: detailsInLog,
    },
  ),
  // Changes by a database that does not know what the node runs.
  "other-database": findingRow(
    {},
    {
      ...refused,
      sentence: "Another database deployed this peering",
      explanation:
        "This peering was deployed from another database of the provider, so it cannot be changed or removed " +
        "until the operator has recovered the database.",
    },
  ),
  "version-unknown": findingRow(
    {},
    {
      ...refused,
      sentence: "The database does not know this version",
      explanation:
        "The provider's database does not know the version of this peering that the node runs, so it cannot be " +
        "changed or removed until the operator has recovered the database.",
    },
  ),
  "generation-differs": findingRow(
    { generation: number },
    {
      ...refused,
      sentence: "The node has different values",
      explanation: ({ generation }) => `The node already has generation ${generation} with different values.`,
    },
  ),
  "peering-conflict": findingRow(
    { host: word },
    {
      ...refused,
      sentence: "The node and the database disagree",
      explanation: ({ host }) =>
        `${host} runs another version of this peering than the database has. It keeps running, but cannot be changed ` +
        "until the operator has recovered the database.",
      participantFix: "Contact support.",
    },
  ),
};
