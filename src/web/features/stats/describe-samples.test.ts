import { expect, test } from "vitest";
import type { NodeSamples } from "#contract/call-tables/sample-calls.ts";
import { describeRoutes, describeUsage } from "./describe-samples.ts";

const hostOf = (node: string) => `${node}.example.net`;

/** A node with one sample; without a CPU usage it did not respond. */
function nodeSample(name: string, cpuPercent: number | null, at = 10): NodeSamples {
  const responds = cpuPercent !== null;
  const routes = responds ? { ipv4: 800 + cpuPercent, ipv6: 600 } : null;
  return {
    node: name,
    samples: [{ at, cpuPercent, memoryPercent: responds ? 30 : null, routes }],
    traffic: null,
  };
}

test.each<[readonly NodeSamples[], string | null]>([
  [
    [nodeSample("a", 4), nodeSample("b", 11)],
    "All 2 nodes respond. CPU usage is 4.0 to 11.0%, memory usage 30.0%.",
  ],
  [[nodeSample("a", 4)], "The node responds. CPU usage is 4.0%, memory usage 30.0%."],
  [
    [nodeSample("a", 4), nodeSample("b", null)],
    "b.example.net does not respond. CPU usage is 4.0%, memory usage 30.0%.",
  ],
  [[nodeSample("a", null), nodeSample("b", null)], "2 of 2 nodes do not respond: a and b."],
  [["a", "b", "c", "d"].map((name) => nodeSample(name, null)), "4 of 4 nodes do not respond."],
  [
    [nodeSample("a", 4), nodeSample("b", null, 5)],
    "The node responds. CPU usage is 4.0%, memory usage 30.0%.",
  ],
  [[{ node: "a", samples: [], traffic: null }], null],
])("the usage of %j: %s", (nodes, text) => {
  expect(describeUsage(nodes, hostOf)).toBe(text);
});

test("the routes of all nodes have a range for each address family", () => {
  expect(describeRoutes([nodeSample("a", 4), nodeSample("b", 11)], hostOf)).toBe(
    "All 2 nodes respond. Routes per node: 804 to 811 IPv4, 600 IPv6.",
  );
  expect(describeRoutes([nodeSample("a", null)], hostOf)).toBe("a.example.net does not respond.");
});
