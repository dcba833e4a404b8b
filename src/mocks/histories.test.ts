import * as v from "valibot";
import { expect, test } from "vitest";
import { networkSummary, peeringHistories } from "../contract/history.ts";
import { networkSummaryAt, peeringHistoriesFor } from "./histories.ts";
import { sampleState } from "./samples.ts";
import { participant } from "./state.ts";

const now = Date.UTC(2026, 10, 25, 10, 42);

test("the sample peerings have histories of each kind", () => {
  const histories = peeringHistoriesFor(sampleState(), participant.asn, now);
  expect(v.parse(peeringHistories, histories)).toEqual(histories);
  const [flat, withDownHour, down] = histories.peerings;
  expect(flat).toMatchObject({ up: "_".repeat(48), latency: [12.4, 12.4, ""] });
  expect(withDownHour?.up).toBe(`${"_".repeat(17)}AA${"_".repeat(29)}`);
  expect(down?.up).toBe(`${"_".repeat(42)}AAAAAA`);
});

test("the summary has nodes of every state", () => {
  const summary = networkSummaryAt(now);
  expect(v.parse(networkSummary, summary)).toEqual(summary);
  expect(new Set(summary.nodes.map((node) => node.now))).toEqual(new Set(["OK", "Issues", "Down", null]));
});
