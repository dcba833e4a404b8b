import { expect, test } from "vitest";
import { linksBetween, linkSummary, type MapNode, neighboursOf, statusText } from "./node-links.ts";

const node = (name: string): MapNode => ({ name, place: "", lat: 0, lon: 0 });
const [a, b, c] = [node("a"), node("b"), node("c")];
const nodes = [a, b, c];

test("a pair that is reported twice is one link, up only if both ends report up", () => {
  const up = { from: "b", to: "a", status: "up" };
  const connecting = { from: "a", to: "b", status: "connecting" };
  expect(linksBetween(nodes, [up, { ...up, from: "a", to: "b" }])).toEqual([
    { from: a, to: b, status: "up" },
  ]);
  for (const reports of [
    [up, connecting],
    [connecting, up],
  ]) {
    expect(linksBetween(nodes, reports)).toEqual([{ from: a, to: b, status: "connecting" }]);
  }
});

test("connections with unlisted nodes and of a node with itself are left out", () => {
  expect(
    linksBetween(nodes, [
      { from: "a", to: "x", status: "up" },
      { from: "a", to: "a", status: "up" },
    ]),
  ).toEqual([]);
});

test("neighbours are found and counted in both directions", () => {
  const links = linksBetween(nodes, [
    { from: "a", to: "b", status: "up" },
    { from: "c", to: "b", status: "down" },
  ]);
  expect(neighboursOf(b, links).map(({ neighbour }) => neighbour)).toEqual([a, c]);
  expect([b, a, c, node("d")].map((each) => linkSummary(each, links))).toEqual([
    "1 link up, 1 down",
    "1 link up",
    "1 link down",
    "No links",
  ]);
});

test("a status starts with a capital letter", () => {
  expect(["up", "down", ""].map((status) => statusText({ status }))).toEqual(["Up", "Down", "Unknown"]);
});
