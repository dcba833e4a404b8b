import { expect, test } from "vitest";
import { ConnectionRejectedError, UnpinnedCertificateError } from "../../mtls/pinned-connection.ts";
import { createNodeConnections, describeFailure } from "./node-connections.ts";

const [pinned, presented] = ["AA:".repeat(31) + "AA", "BB:".repeat(31) + "BB"];
const refused = Object.assign(new Error("connect ECONNREFUSED 192.0.2.1:4243"), { code: "ECONNREFUSED" });

function scene() {
  const lines: Array<readonly [object, string]> = [];
  const write = (fields: object, message: string) => void lines.push([fields, message]);
  return { lines, connections: createNodeConnections({ info: write, warn: write } as never) };
}

test("each change of a node is logged once", () => {
  const { lines, connections } = scene();
  const end = (error: Error | null) => connections.begin("de01")(error && describeFailure(error));
  for (const error of [
    null,
    refused,
    refused,
    new UnpinnedCertificateError("de01", presented, pinned),
    null,
    null,
  ])
    end(error);
  expect(lines).toEqual([
    [
      { node: "de01", cause: "connect ECONNREFUSED 192.0.2.1:4243" },
      "the node cannot be reached: the connection was refused, the agent may be off",
    ],
    [
      { node: "de01", expected: "AA:AA:AA:AA…", presented: "BB:BB:BB:BB…" },
      "the node cannot be reached: its certificate is not the one that the provider profile pins",
    ],
    [{ node: "de01" }, "the node can be reached again"],
  ]);
});

test("a slow call says nothing while others succeed", () => {
  const { lines, connections } = scene();
  const endSlow = connections.begin("de01");
  connections.begin("de01")(null);
  endSlow(describeFailure(new DOMException("timeout", "TimeoutError")));
  expect([lines, connections.readFailures()]).toEqual([[], new Map()]);
});

test("the public reason contains neither addresses nor fingerprints", () => {
  const { connections } = scene();
  for (const [node, error] of [
    ["de01", refused],
    ["de02", new ConnectionRejectedError(presented, new Error("socket hang up"))],
    ["de03", new DOMException("timeout", "TimeoutError")],
    ["de04", new Error("write to 192.0.2.4 failed")],
  ] as const)
    connections.begin(node)(describeFailure(error));
  expect(Object.fromEntries(connections.readFailures())).toEqual({
    de01: "the connection was refused, the agent may be off",
    de02: "it ended the connection, its server_fingerprints may lack the one of this server",
    de03: "it did not respond in time",
    de04: "the connection failed",
  });
});
