/** What can be wrong with the routes that a participant announces. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";
import { plural } from "../../text/plural.ts";

const { number } = factKinds;
const counts = { refused: number, received: number };

const refused = {
  sentence: ({ refused: few, received }: { readonly refused: number; readonly received: number }) =>
    received === 1
      ? "Your only route is refused"
      : `${few} of your ${received} routes ${plural(few, "is", "are")} refused`,
  explanation: (facts: { readonly refused: number; readonly received: number }) =>
    `${refused.sentence(facts)}.`,
};

export const routesFindings = {
  "routes-refused": findingRow(counts, { segment: "routes", weight: "degraded", ...refused }),
  "all-routes-refused": findingRow(counts, { segment: "routes", weight: "broken", ...refused }),
  "no-routes": findingRow(
    {},
    {
      segment: "routes",
      weight: "note",
      sentence: "Your router announces no routes",
      explanation: "Your router announces no routes.",
    },
  ),
};
