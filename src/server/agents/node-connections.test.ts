import { expect, test } from "vitest";
import { describeToOperator } from "../../domain/findings/findings.ts";
import { ConnectionRejectedError, UnpinnedCertificateError } from "../../mtls/pinned-connection.ts";
import { createNodeConnections, findConnectionFailure } from "./node-connections.ts";

const [pinned, presented] = ["AA:".repeat(31) + "AA", "BB:".repeat(31) + "BB"];
const refused = Object.assign(new Error("connect ECONNREFUSED 192.0.2.1:4243"), { code: "ECONNREFUSED" });

function scene() {
  const lines: Array<readonly [object, string]> = [];
  const write = (fields: object, message: string) => void lines.push([fields, message]);
  return { lines, connections: createNodeConnections({ info: write, warn: write } as never) };
}

const unreachable = (cause: "refused" | "wrong-certificate") =>
  describeToOperator({ code: "node-unreachable", facts: { host: "de01", cause } });

test("each change of a node is logged once", () => {
  const { lines, connections } = scene();
  const end = (error: Error | null) => connections.begin("de01")(error && findConnectionFailure(error));
  const unpinned = new UnpinnedCertificateError("de01", presented, pinned);
  for (const error of [null, refused, refused, unpinned, null, null]) end(error);
  const fingerprints = { expected: "AA:AA:AA:AA…", presented: "BB:BB:BB:BB…" };
  expect(lines).toEqual([
    [{ node: "de01", error: "connect ECONNREFUSED 192.0.2.1:4243" }, unreachable("refused")],
    [{ node: "de01", ...fingerprints }, unreachable("wrong-certificate")],
    [{ node: "de01" }, "the node can be reached again"],
  ]);
});

test("a slow call says nothing while others succeed", () => {
  const { lines, connections } = scene();
  const endSlow = connections.begin("de01");
  connections.begin("de01")(null);
  endSlow(findConnectionFailure(new DOMException("timeout", "TimeoutError")));
  expect([lines, connections.readFailures()]).toEqual([[], new Map()]);
});

test("the public cause is a code, without addresses and fingerprints", () => {
  const { connections } = scene();
  for (const [node, error] of [
    ["de01", refused],
    ["de02", new ConnectionRejectedError(presented, new Error("socket hang up"))],
    ["de03", new DOMException("timeout", "TimeoutError")],
    ["de04", new Error("write to 192.0.2.4 failed")],
  ] as const)
    connections.begin(node)(findConnectionFailure(error));
  const found = Array.from(connections.readFailures(), ([node, finding]) => finding(`${node}.example.net`));
  const causes = ["refused", "server-rejected", "timeout", "other"];
  expect(found).toEqual(
    causes.map((cause, index) => ({
      code: "node-unreachable",
      facts: { host: `de0${index + 1}.example.net`, cause },
    })),
  );
});
