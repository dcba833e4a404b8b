/** What the server finds wrong with what agents send. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";
import { operatorOnly } from "./node-rows.ts";
import { countOf } from "../../text/plural.ts";

export const agentFindings = {
  "agent-values-ignored": findingRow(
    { host: factKinds.word, items: factKinds.number },
    {
      ...operatorOnly,
      explanation: ({ host, items }) =>
        `The agent of ${host} sends what it may not: the server ignores ${countOf(items, "item")}.`,
      providerFix: "The server's log says what. The node may be compromised.",
    },
  ),
};
