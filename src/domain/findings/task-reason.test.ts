import { expect, test } from "vitest";
import type { Finding } from "./findings.ts";
import { describeFailure, describeTaskReason, type ReasonContext } from "./task-reason.ts";

const host = "de01.example.net";
const busy: Finding = { code: "node-busy", facts: { host } };
const notReached: Finding = { code: "node-not-reached", facts: { host } };
const refused: Finding = { code: "bird-refused", facts: {} };

test.each<[Finding, Partial<ReasonContext>, string]>([
  [
    { code: "node-unreachable", facts: { host, cause: null } },
    { status: "waiting" },
    "de01.example.net cannot be reached. Trying again…",
  ],
  [
    busy,
    { status: "waiting" },
    "The provider is changing the configuration of de01.example.net. Your change waits until that is done.",
  ],
  [
    busy,
    { status: "error" },
    "The provider is changing the configuration of de01.example.net. The previous configuration was kept. " +
      "Try again when that is done.",
  ],
  [
    notReached,
    { status: "error", isNew: true },
    "de01.example.net could not be reached in time. Nothing was deployed. Try again when the node is back.",
  ],
  [
    notReached,
    { status: "failed", kind: "delete" },
    "de01.example.net could not be reached in time. The peering was kept. Try again when the node is back.",
  ],
  [
    refused,
    { status: "failed" },
    "BIRD refused the new configuration. The previous configuration is still active.",
  ],
  [refused, { status: "failed", isNew: true }, "BIRD refused the new configuration. Nothing was deployed."],
  // A database that lost the peering takes it for a new one, although the node runs it.
  [
    { code: "generation-differs", facts: { generation: 7 } },
    { status: "failed", isNew: true },
    "The node already has generation 7 with different values. Nothing was changed on the node.",
  ],
])("%j of a task that is %j", (finding, task, text) => {
  expect(describeTaskReason(finding, { status: "failed", kind: "deploy", isNew: false, ...task })).toBe(text);
});

test("a failure that the server repeats by itself has no advice to try again", () => {
  const task = { status: "failed", kind: "delete", isNew: false } as const;
  expect(describeFailure(notReached, task)).toBe(
    "de01.example.net could not be reached in time. The peering was kept.",
  );
});
