/** The simulated history of the demo. */
import { expect, onTestFinished, test } from "vitest";
import { createRouteCounter, createSimulatedPast } from "#demo/history/simulated-past.ts";
import { seedHistory } from "#demo/history/seed-history.ts";
import type { BucketCounts } from "#contract/history.ts";
import { createHistory } from "#server/features/observations/history.ts";
import { createNodeSeries } from "#server/features/observations/node-series.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 10, 23, 10, 30, 12);
const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"];

const countRoutes = createRouteCounter({
  table: () => Array.from(Array(18), () => ({ prefix: "", path: [], refusal: null })),
});
const pasts = new Map(nodes.map((node) => [node, createSimulatedPast(node, countRoutes)]));

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** The number of observations in each bucket. */
function countAll({ ok, issues, down }: BucketCounts): readonly number[] {
  return ok.map((count, index) => count + (issues[index] ?? 0) + (down[index] ?? 0));
}

describeWithDatabase("the demo's history", { postgres: "share" }, (openTestDatabase) => {
  async function open() {
    const at = await openTestDatabase();
    const { db, ...database } = await openAsServer(at);
    onTestFinished(() => database[Symbol.asyncDispose]());
    return db;
  }

  test("fills 90 days, 24 hours and 3 hours of every node, with outages that agree", async () => {
    const db = await open();
    await seedHistory(db, pasts, start);
    const histories = await createHistory(db, nodes)(start);
    const series = await createNodeSeries(db, nodes)(start);
    expect(series.times.length).toBeGreaterThanOrEqual(178);
    expect(series.times[0]).toBeLessThan(start - 3 * hourMs + 5 * minuteMs);
    for (const { node, now, quarters, days } of histories.nodes) {
      expect(now).not.toBeNull();
      const [ofQuarters, ofDays] = [countAll(quarters), countAll(days)];
      // The observer fills the current quarter.
      expect(ofQuarters.slice(0, -1).every((count) => count > 0)).toBe(true);
      expect(ofDays.every((count) => count > 0)).toBe(true);
      const today = (start - (start % dayMs) - histories.quartersFrom) / (15 * minuteMs);
      expect(ofDays.at(-1)).toBe(sum(ofQuarters.slice(today)));
      expect(sum(days.down)).toBeGreaterThan(0);
      expect(sum(days.issues)).toBeGreaterThan(0);
      expect(sum(days.ok)).toBeGreaterThan(0.97 * sum(ofDays));
      const own = series.nodes.find((each) => each.node === node);
      for (const [index, at] of series.times.entries()) {
        const isDown = pasts.get(node)?.stateAt(at) === "Down";
        expect([own?.cpu[index] === null, own?.ipv4[index] === null]).toEqual([isDown, isDown]);
      }
    }
  });

  test("continues where the demo stopped, and counts nothing twice", async () => {
    const db = await open();
    await seedHistory(db, pasts, start);
    await seedHistory(db, pasts, start + minuteMs / 2);
    const before = await createHistory(db, nodes)(start);
    await seedHistory(db, pasts, start + 5 * hourMs);
    const after = await createHistory(db, nodes)(start + 5 * hourMs);
    for (const [index, { days, quarters }] of after.nodes.entries()) {
      const daysBefore = before.nodes[index]?.days;
      if (!daysBefore) throw new Error("a node is missing");
      const grown = (countAll(days).at(-1) ?? 0) - (countAll(daysBefore).at(-1) ?? 0);
      // Two hours at one in five minutes, then three hours at one a minute.
      expect(grown).toBeGreaterThanOrEqual(200);
      expect(grown).toBeLessThanOrEqual(210);
      // The observer fills the current quarter.
      expect(
        countAll(quarters)
          .slice(0, -1)
          .every((count) => count > 0),
      ).toBe(true);
      expect(days.ok.slice(0, -1)).toEqual(daysBefore.ok.slice(0, -1));
    }
  });
});
