import { expect, test } from "vitest";
import type { NodeSeries } from "#contract/call-tables/sample-calls.ts";
import { describeRoutes, describeUsage } from "./describe-samples.ts";

const hostOf = (node: string) => `${node}.example.net`;

const columnOf = (usage: number | null | undefined, value: number) =>
  usage === undefined ? [] : [usage === null ? null : value];

/** Nodes with these CPU usages in one sample; without one a node did not respond. Undefined: it has no sample. */
function seriesOf(usages: Readonly<Record<string, number | null | undefined>>): NodeSeries {
  return {
    times: [10],
    nodes: Object.entries(usages).map(([node, usage]) => ({
      node,
      cpu: columnOf(usage, usage ?? 0),
      memory: columnOf(usage, 30),
      ipv4: columnOf(usage, 800 + (usage ?? 0)),
      ipv6: columnOf(usage, 600),
    })),
  };
}

test.each<[NodeSeries, string | null]>([
  [seriesOf({ a: 4, b: 11 }), "All 2 nodes respond. CPU usage is 4.0 to 11.0%, memory usage 30.0%."],
  [seriesOf({ a: 4 }), "The node responds. CPU usage is 4.0%, memory usage 30.0%."],
  [seriesOf({ a: 4, b: null }), "b.example.net does not respond. CPU usage is 4.0%, memory usage 30.0%."],
  [seriesOf({ a: null, b: null }), "2 of 2 nodes do not respond: a and b."],
  [seriesOf({ a: null, b: null, c: null, d: null }), "4 of 4 nodes do not respond."],
  [seriesOf({ a: 4, b: undefined }), "The node responds. CPU usage is 4.0%, memory usage 30.0%."],
  [{ ...seriesOf({ a: undefined }), times: [] }, null],
])("the usage of %j: %s", (series, text) => {
  expect(describeUsage(series, hostOf)).toBe(text);
});

test("the routes of all nodes have a range for each address family", () => {
  expect(describeRoutes(seriesOf({ a: 4, b: 11 }), hostOf)).toBe(
    "All 2 nodes respond. Routes per node: 804 to 811 IPv4, 600 IPv6.",
  );
  expect(describeRoutes(seriesOf({ a: null }), hostOf)).toBe("a.example.net does not respond.");
});
