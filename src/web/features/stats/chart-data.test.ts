import { expect, test } from "vitest";
import { alignLines, type Line, nodeLines, trafficLines } from "./chart-data.ts";

const line = (label: string, points: ReadonlyArray<readonly [at: number, value: number | null]>): Line => ({
  label,
  points: points.map(([at, value]) => ({ at, value })),
});

test("lines share their times; a missing time is a gap in the line", () => {
  expect(
    alignLines([
      line("a", [
        [10, 1],
        [20, 2],
        [30, 3],
      ]),
      line("b", [
        [20, 0],
        [30, null],
      ]),
    ]),
  ).toEqual({
    times: [10, 20, 30],
    values: [
      [1, 2, 3],
      [null, 0, null],
    ],
  });
});

test("a gap in the samples breaks every line", () => {
  expect(
    alignLines([
      line("a", [
        [10, 1],
        [20, 2],
        [31, 3],
        [61, 4],
        [95, 5],
        [105, 6],
      ]),
    ]),
  ).toEqual({
    times: [10, 20, 31, 46, 61, 78, 95, 105],
    values: [[1, 2, 3, null, 4, null, 5, 6]],
  });
});

test("a single point and no points are valid data", () => {
  expect(alignLines([line("a", [[10, 1]])])).toEqual({ times: [10], values: [[1]] });
  expect(alignLines([])).toEqual({ times: [], values: [] });
});

test("traffic is in bits, from the participant's point of view", () => {
  const traffic = { times: [10, 20], nodes: [{ node: "de01", received: [100, null], sent: [3, 0] }] };
  expect(trafficLines(traffic, "de01")).toEqual([
    line("Received from you", [
      [10, 800],
      [20, null],
    ]),
    line("Sent to you", [
      [10, 24],
      [20, 0],
    ]),
  ]);
  expect(trafficLines(traffic, "syd01")).toEqual([line("Received from you", []), line("Sent to you", [])]);
});

test("a node without the newest samples has no points there", () => {
  const none = { memory: [], ipv4: [], ipv6: [] };
  const series = { times: [10, 20], nodes: [{ node: "de01", cpu: [4], ...none }] };
  expect(nodeLines(series, "cpu", (node) => node)).toEqual([{ ...line("de01", [[10, 4]]), suffix: "" }]);
});
