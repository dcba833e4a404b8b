import { expect, test } from "vitest";
import type { PlacedNode } from "../../api/provider.ts";
import {
  allNodes,
  describeLinks,
  linksBetween,
  linkSummary,
  neighboursOf,
  statusText,
} from "./node-links.ts";

const node = (name: string): PlacedNode => ({ name, place: "", lat: 0, lon: 0 });
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

test("a connection of a node with itself is left out", () => {
  expect(linksBetween(nodes, [{ from: "a", to: "a", status: "up" }])).toEqual([]);
});

test("nodes that only connections name follow those of the provider", () => {
  const links = linksBetween(nodes, [
    { from: "y", to: "a", status: "up" },
    { from: "x", to: "y", status: "down" },
  ]);
  expect(links.length).toBe(2);
  expect(allNodes(nodes, links).map(({ name }) => name)).toEqual(["a", "b", "c", "y", "x"]);
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

test("a link whose ends do not reply is unknown, not down", () => {
  const links = linksBetween(nodes, [
    { from: "a", to: "b", status: "unknown" },
    { from: "c", to: "b", status: "down" },
  ]);
  expect([a, b].map((each) => linkSummary(each, links))).toEqual([
    "1 link unknown",
    "1 link down, 1 unknown",
  ]);
  expect(linkSummary(a, linksBetween([a, b], [{ from: "b", to: "a", status: "blocked" }]))).toBe(
    "1 link blocked",
  );
});

test("a status starts with a capital letter", () => {
  expect(["up", "down", ""].map((status) => statusText({ status }))).toEqual(["Up", "Down", "Unknown"]);
});

test.each([
  [["up", "up"], "All 2 links are up"],
  [["up", "down"], "1 of 2 links are up"],
  [["up"], "The link is up"],
  [["init"], "The link is down"],
  [["blocked"], "The link is blocked"],
  [["up", "blocked"], "1 of 2 links are up"],
  [["unknown"], "The state of the link is unknown"],
])("links that are %j: %s", (states, words) => {
  expect(describeLinks(states.map((status) => ({ from: a, to: b, status })))).toBe(words);
});
