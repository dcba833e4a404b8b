/** The samples of one picture do not contradict each other. */
import { describe, expect, test } from "vitest";
import { shownHalfHours } from "#contract/history.ts";
import { decodePlot, decodeShares } from "#domain/plot.ts";
import { demoNodes, sampledDemoPeerings } from "./demo-peerings.ts";
import { sampleHistories } from "./sample-history.ts";
import { demoLinks, sampleLinks } from "./sample-links.ts";
import { sampleNodeHistory, sampleNodeSamples, sampleNodeSummaries } from "./sample-nodes.ts";
import { outagesOfNodes } from "./sample-outages.ts";

// Also just after midnight, when the current day and the current half hour have no observation yet.
describe.each(["2026-11-26T03:13:57Z", "2026-11-26T00:00:00Z"])("at %s", (time) => {
  const now = Date.parse(time);
  const outages = outagesOfNodes(demoNodes, now);
  const histories = sampleHistories(sampledDemoPeerings(), outages, now).peerings;
  const lastSix = (node: string) => {
    const { up = "", latency = null } = histories.find((each) => each.node === node) ?? {};
    return {
      up: decodeShares(up).slice(-6),
      hasLatency: latency && decodePlot(latency, shownHalfHours).slice(-6).map(Number.isFinite),
    };
  };

  test("a peering without a session is down for five half hours, and its tunnel is up", () => {
    expect(lastSix("de01")).toEqual({
      up: [1, 0, 0, 0, 0, 0],
      hasLatency: Array.from({ length: 6 }, () => true),
    });
  });

  test("a peering with issues is up", () => {
    expect(lastSix("sin01").up).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test("summary, history and samples agree on the nodes that are down", () => {
    const states = Object.fromEntries(demoNodes.map((node) => [node, node === "za01" ? "Down" : "OK"]));
    const { nodes } = sampleNodeSummaries(outages, now);
    expect(Object.fromEntries(nodes.map((each) => [each.node, each.now]))).toEqual(states);
    const history = sampleNodeHistory(outages, now);
    expect(Object.fromEntries(history.map((each) => [each.node, each.now]))).toEqual(states);
    const silent = sampleNodeSamples(outages, [], now).filter(
      ({ samples }) => samples.at(-1)?.cpuPercent === null,
    );
    expect(silent.map(({ node }) => node)).toEqual(["za01"]);
    expect(decodeShares(nodes.at(-1)?.up ?? "").slice(-6)).toEqual([1, 0, 0, 0, 0, 0]);
  });

  test("the links of a node that is down are down, and only they have no round trip", () => {
    const { states, roundTrips } = sampleLinks(demoLinks, outages, now);
    const down = states.filter(({ status }) => status !== "up");
    expect(down.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "de01 za01",
      "per01 za01",
      "sin01 za01",
      "syd01 za01",
    ]);
    expect(roundTrips).toEqual(demoLinks.filter(({ to }) => to !== "za01"));
  });
});
