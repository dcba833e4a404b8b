/** The simulated history of the demo. */
import { expect, onTestFinished, test } from "vitest";
import { createRouteCounter, createSimulatedPast } from "#demo/history/simulated-past.ts";
import { seedHistory } from "#demo/history/seed-history.ts";
import type { NodeHistory } from "#contract/history.ts";
import { readHistory } from "#server/features/observations/history.ts";
import { readSamples } from "#server/features/observations/samples.ts";
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

type Bucket = NodeHistory["days"][number];

function sum(buckets: readonly Bucket[], key: "ok" | "issues" | "down"): number {
  return buckets.reduce((total, bucket) => total + bucket[key], 0);
}

function countAll({ ok, issues, down }: Bucket): number {
  return ok + issues + down;
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
    const histories = await readHistory(db, nodes, start);
    const samples = await readSamples(db, start);
    for (const { node, now, quarters, days } of histories) {
      expect(now).not.toBeNull();
      // The observer fills the current quarter.
      expect(quarters.slice(0, -1).every((bucket) => countAll(bucket) > 0)).toBe(true);
      expect(days.every((bucket) => countAll(bucket) > 0)).toBe(true);
      const today = quarters.filter(({ from }) => from >= start - (start % dayMs));
      expect(countAll(days.at(-1) as Bucket)).toBe(today.reduce((all, each) => all + countAll(each), 0));
      expect(sum(days, "down")).toBeGreaterThan(0);
      expect(sum(days, "issues")).toBeGreaterThan(0);
      expect(sum(days, "ok")).toBeGreaterThan(0.97 * days.reduce((all, each) => all + countAll(each), 0));
      const own = samples.get(node) ?? [];
      expect(own.length).toBeGreaterThanOrEqual(178);
      expect(own[0]?.at).toBeLessThan(start - 3 * hourMs + 5 * minuteMs);
      for (const { at, cpuPercent, routes } of own) {
        const isDown = pasts.get(node)?.stateAt(at) === "Down";
        expect([cpuPercent === null, routes === null]).toEqual([isDown, isDown]);
      }
    }
  });

  test("continues where the demo stopped, and counts nothing twice", async () => {
    const db = await open();
    await seedHistory(db, pasts, start);
    await seedHistory(db, pasts, start + minuteMs / 2);
    const before = await readHistory(db, nodes, start);
    await seedHistory(db, pasts, start + 5 * hourMs);
    const after = await readHistory(db, nodes, start + 5 * hourMs);
    for (const [index, { days, quarters }] of after.entries()) {
      const grown = countAll(days.at(-1) as Bucket) - countAll(before[index]?.days.at(-1) as Bucket);
      // Two hours at one in five minutes, then three hours at one a minute.
      expect(grown).toBeGreaterThanOrEqual(200);
      expect(grown).toBeLessThanOrEqual(210);
      // The observer fills the current quarter.
      expect(quarters.slice(0, -1).every((bucket) => countAll(bucket) > 0)).toBe(true);
      expect(days.slice(0, -1)).toEqual(before[index]?.days.slice(0, -1));
    }
  });
});
