import { expect, test } from "vitest";
import type { Finding } from "./findings.ts";
import { describeFailure, describeTaskReason, type ReasonContext } from "./task-reason.ts";

const host = "de01.example.net";
const busy: Finding = { code: "node-busy", facts: { host } };
const notReached: Finding = { code: "node-not-reached", facts: { host } };
const refused: Finding = { code: "bird-refused", facts: {} };

const rows: ReadonlyArray<readonly [Finding, Partial<ReasonContext>]> = [
  [{ code: "node-unreachable", facts: { host, cause: null } }, { status: "waiting" }],
  [busy, { status: "waiting" }],
  [busy, { status: "error" }],
  [notReached, { status: "error", isNew: true }],
  [notReached, { status: "failed", kind: "delete", attempts: 12 }],
  [refused, { status: "failed" }],
  [refused, { status: "failed", isNew: true }],
  // A database that lost the peering takes it for a new one, although the node runs it.
  [
    { code: "generation-differs", facts: { generation: 7 } },
    { status: "failed", isNew: true },
  ],
];

test("the reason of each kind of task", async () => {
  const texts = rows.map(([finding, task]) => {
    const reason = describeTaskReason(finding, {
      status: "failed",
      kind: "deploy",
      isNew: false,
      attempts: 1,
      ...task,
    });
    return `${finding.code} ${JSON.stringify(task)}\n  ${reason}\n`;
  });
  await expect(texts.join("")).toMatchFileSnapshot("golden/task-reasons.txt");
});

test("a failure that the server repeats by itself has no advice to try again", () => {
  const task = { status: "failed", kind: "delete", isNew: false, attempts: 1 } as const;
  expect(describeFailure(notReached, task)).toBe(
    "de01.example.net could not be reached in time. The peering was kept.",
  );
});
