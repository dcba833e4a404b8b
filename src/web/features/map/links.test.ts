import { expect, test } from "vitest";
import { linksBetween, linkSummary, type MapNode, neighboursOf, statusWord } from "./links.ts";

const node = (name: string): MapNode => ({ name, place: "", lat: 0, lon: 0 });
const [a, b, c] = [node("a"), node("b"), node("c")];
const nodes = [a, b, c];

test("a pair that is told twice is one link, up only when both ends say so", () => {
  const up = { from: "b", to: "a", status: "up" };
  const connecting = { from: "a", to: "b", status: "connecting" };
  expect(linksBetween(nodes, [up, { ...up, from: "a", to: "b" }])).toEqual([
    { from: a, to: b, status: "up" },
  ]);
  for (const told of [
    [up, connecting],
    [connecting, up],
  ]) {
    expect(linksBetween(nodes, told)).toEqual([{ from: a, to: b, status: "connecting" }]);
  }
});

test("connections of nodes that are not listed, and of a node with itself, are left out", () => {
  expect(
    linksBetween(nodes, [
      { from: "a", to: "x", status: "up" },
      { from: "a", to: "a", status: "up" },
    ]),
  ).toEqual([]);
});

test("a node knows its neighbours in both directions, and counts them", () => {
  const links = linksBetween(nodes, [
    { from: "a", to: "b", status: "up" },
    { from: "c", to: "b", status: "down" },
  ]);
  expect(neighboursOf(b, links).map(({ neighbour }) => neighbour)).toEqual([a, c]);
  expect([b, a, c, node("d")].map((each) => linkSummary(each, links))).toEqual([
    "1 link up, 1 not up",
    "1 link up",
    "1 link not up",
    "No links",
  ]);
});

test("a status is a word for people", () => {
  expect(["up", "down", ""].map((status) => statusWord({ status }))).toEqual(["Up", "Down", "Unknown"]);
});
