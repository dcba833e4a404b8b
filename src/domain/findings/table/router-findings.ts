/** Why a node's router may not run the confirmed configuration. The agent repairs it. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";
import { operatorOnly } from "./node-rows.ts";

const { number, output } = factKinds;

export const routerFindings = {
  "not-applied-yet": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The confirmed configuration has not been applied since the agent started.",
    },
  ),
  "router-drifted": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The router drifted from the confirmed configuration, which is being applied again.",
    },
  ),
  "tunnels-drifted": findingRow(
    { tunnels: number },
    {
      ...operatorOnly,
      explanation: ({ tunnels }) => `Tunnels that are missing or were changed: ${tunnels}.`,
    },
  ),
  "bird-drifted": findingRow(
    {},
    { ...operatorOnly, explanation: "BIRD does not run the confirmed configuration." },
  ),
  "sessions-not-removed": findingRow(
    {},
    { ...operatorOnly, explanation: "BIRD still had sessions of removed peerings." },
  ),
  "router-repair-waits": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The router may not run the confirmed configuration. The repair waits.",
    },
  ),
  "router-state-unknown": findingRow(
    { output },
    {
      ...operatorOnly,
      explanation: ({ output: printed }) => `The router may not run the confirmed configuration: ${printed}`,
    },
  ),
  "router-not-restored": findingRow(
    { output },
    {
      ...operatorOnly,
      explanation: ({ output: printed }) => `The router does not run the confirmed configuration: ${printed}`,
    },
  ),
};
