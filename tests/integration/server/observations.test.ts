/** What the server observes of its nodes, stored in both databases. `network-summary.test.ts` reads it over HTTP. */
import { expect, test } from "vitest";
import { createRecentSamples } from "#server/features/observations/recent-samples.ts";
import { readSamples } from "#server/features/observations/samples.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { minuteMs, observed, openScene, recordPeerings, start } from "./observed-peerings.ts";

const quarterMs = 15 * minuteMs;
const dayMs = 24 * 60 * minuteMs;

describeWithDatabase("observations", { postgres: "share" }, (openTestDatabase) => {
  /** A scene of one node. */
  async function scene() {
    const opened = await openScene(await openTestDatabase());
    opened.report("de01", [observed()]);
    return {
      ...opened,
      be: (state: "OK" | "Issues" | "Down") => {
        opened.beHealthy(state !== "Issues");
        opened.report("de01", state === "Down" ? null : [observed()]);
      },
      history: async () => {
        const [history] = await opened.nodeHistory();
        if (!history) throw new Error("no history");
        return history;
      },
      samples: async () => (await opened.samples())[0],
    };
  }

  test("without observations nothing counts as healthy", async () => {
    const { history, samples } = await scene();
    const { now, quarters, days } = await history();
    expect(now).toBeNull();
    expect(quarters).toHaveLength(96);
    expect(days).toHaveLength(90);
    for (const { ok, issues, down } of [...quarters, ...days]) expect([ok, issues, down]).toEqual([0, 0, 0]);
    expect(await samples()).toEqual({ node: "de01", samples: [], traffic: null });
  });

  test("each observation is one sample, in its quarter of an hour and its day", async () => {
    const { observe, wait, be, history, samples } = await scene();
    await observe();
    wait(minuteMs);
    be("Issues");
    await observe();
    wait(quarterMs);
    be("Down");
    await observe();
    const { now, quarters, days } = await history();
    expect(now).toBe("Down");
    expect(quarters.slice(-2)).toEqual([
      { from: start, ok: 1, issues: 1, down: 0 },
      { from: start + quarterMs, ok: 0, issues: 0, down: 1 },
    ]);
    expect(days.at(-1)).toEqual({ from: start - (start % dayMs), ok: 1, issues: 1, down: 1 });
    expect((await samples())?.samples).toEqual([
      { at: start, cpuPercent: 10, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } },
      { at: start + minuteMs, cpuPercent: 10, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } },
      { at: start + minuteMs + quarterMs, cpuPercent: null, memoryPercent: null, routes: null },
    ]);
  });

  test("two observations at the same time store one sample", async () => {
    const { observe, wait, history } = await scene();
    await observe();
    wait(minuteMs / 3);
    await observe();
    wait(minuteMs);
    await observe();
    expect((await history()).days.at(-1)?.ok).toBe(2);
  });

  test("a clock that is slightly behind adds no observation, and one that was set far back stops none", async () => {
    const { observe, wait, history } = await scene();
    await observe();
    wait(-1000);
    await observe();
    expect((await history()).days.at(-1)?.ok).toBe(1);
    wait(-quarterMs);
    await observe();
    wait(minuteMs);
    await observe();
    expect((await history()).days.at(-1)?.ok).toBe(3);
  });

  test("the number of rows that an observation reads does not grow with the stored samples", async () => {
    const { observe, wait, rowsRead } = await scene();
    await observe();
    const read: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      wait(minuteMs);
      const before = rowsRead();
      await observe();
      read.push(rowsRead() - before);
    }
    // The newest sample, and what the summary needs: the quarter hour and the sum of the days.
    expect(read).toEqual([3, 3, 3]);
  });

  test("an observation older than five minutes is not the current state", async () => {
    const { observe, wait, history } = await scene();
    await observe();
    wait(5 * minuteMs);
    expect((await history()).now).toBe("OK");
    wait(minuteMs);
    expect((await history()).now).toBeNull();
  });

  test("observations older than their retention are deleted", async () => {
    const { db, observe, wait, history } = await scene();
    const rows = async (table: "node_samples" | "node_quarters" | "node_days" | "traffic_samples") =>
      (await db.selectFrom(table).selectAll().execute()).length;
    await recordPeerings(db, ["de01"]);
    await observe();
    wait(4 * 60 * minuteMs);
    await observe();
    expect([await rows("node_samples"), await rows("traffic_samples")]).toEqual([1, 1]);
    expect(await rows("node_quarters")).toBe(2);
    wait(2 * dayMs);
    await observe();
    expect([await rows("node_quarters"), await rows("node_days")]).toEqual([1, 2]);
    const { days } = await history();
    expect(days.map(({ ok }) => ok).slice(-3)).toEqual([2, 0, 1]);
    wait(91 * dayMs);
    await observe();
    expect(await rows("node_days")).toBe(1);
  });

  test("traffic is the rate between two observations, and absent where the counter restarted", async () => {
    const { db, report, observe, wait, samples } = await scene();
    await recordPeerings(db, ["de01"]);
    for (const rxBytes of [1000, 61_000, 500, 6500]) {
      report("de01", [observed({ rxBytes })]);
      await observe();
      wait(minuteMs);
    }
    expect((await samples())?.traffic).toEqual([
      { at: start + minuteMs, received: 1000, sent: 0 },
      { at: start + 3 * minuteMs, received: 100, sent: 0 },
    ]);
  });

  test("the samples in memory are those of the database, after hours and after a clock was set back", async () => {
    const { db, observe, wait, be, now } = await scene();
    const read = createRecentSamples(db);
    for (const [state, ms] of [
      ["OK", minuteMs],
      ["Down", 2 * 60 * minuteMs],
      ["Issues", 90 * minuteMs],
      ["OK", -45 * minuteMs],
      ["OK", minuteMs],
      ["OK", dayMs],
    ] as const) {
      be(state);
      await observe();
      const stored = await readSamples(db, now());
      const series = await read(now());
      expect(series.get("de01")?.samples).toEqual(stored.get("de01"));
      expect(JSON.parse(series.get("de01")?.text ?? "")).toEqual(stored.get("de01"));
      wait(ms);
    }
    expect((await read(now())).get("de01")).toMatchObject({ samples: [], text: "[]" });
  });
});
