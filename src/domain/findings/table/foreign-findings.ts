/** What the statuses of a server mean that sends the specification's words and no findings. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";

const { words } = factKinds;

/** Another server's word for a state may be a sentence. */
const firstWords = (state: readonly string[]) => state.slice(0, 3).join(" ");

export const foreignFindings = {
  "tunnel-down": findingRow(
    {},
    {
      segment: "tunnel",
      weight: "broken",
      sentence: "The tunnel is down",
      explanation: "The tunnel is down.",
    },
  ),
  "tunnel-issue": findingRow(
    {},
    {
      segment: "tunnel",
      weight: "degraded",
      sentence: "The tunnel has an issue",
      explanation: "The tunnel has an issue.",
    },
  ),
  "tunnel-other": findingRow(
    { state: words },
    {
      segment: "tunnel",
      weight: "unknown",
      sentence: ({ state }) => `The tunnel is ${firstWords(state)}`,
      explanation: ({ state }) => `The tunnel is ${state.join(" ")}.`,
    },
  ),
  "bgp-down": findingRow(
    {},
    { segment: "session", weight: "broken", sentence: "BGP is down", explanation: "BGP is down." },
  ),
  "bgp-issue": findingRow(
    {},
    {
      segment: "session",
      weight: "degraded",
      sentence: "BGP has an issue",
      explanation: "BGP has an issue.",
    },
  ),
  "bgp-not-found": findingRow(
    {},
    {
      segment: "session",
      weight: "broken",
      sentence: "The node runs no session yet",
      explanation: "The node runs no session yet.",
    },
  ),
  "bgp-other": findingRow(
    { state: words },
    {
      segment: "session",
      weight: "unknown",
      sentence: ({ state }) => `BGP is ${firstWords(state)}`,
      explanation: ({ state }) => `BGP is ${state.join(" ")}.`,
    },
  ),
};
