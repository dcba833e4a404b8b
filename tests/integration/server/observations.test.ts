/** What the server observes of its nodes, stored in both databases. `network-summary.test.ts` reads it over HTTP. */
import { expect, test } from "vitest";
import { createHistory } from "#server/features/observations/history.ts";
import { createNodeSeries } from "#server/features/observations/node-series.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { minuteMs, observed, openScene, recordPeerings, start } from "./observed-peerings.ts";

const quarterMs = 15 * minuteMs;
const dayMs = 24 * 60 * minuteMs;

const zeros = (count: number) => Array.from({ length: count }, () => 0);

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
        const { nodes, ...starts } = await opened.nodeHistory();
        const [history] = nodes;
        if (!history) throw new Error("no history");
        return { ...starts, ...history };
      },
    };
  }

  test("without observations nothing counts as healthy", async () => {
    const { history, series, traffic } = await scene();
    const none = { ok: [], issues: [], down: [] };
    expect(await history()).toMatchObject({ now: null, quarters: none, days: none });
    const noSamples = { node: "de01", cpu: [], memory: [], ipv4: [], ipv6: [] };
    expect(await series()).toEqual({ times: [], nodes: [noSamples] });
    expect(await traffic()).toEqual({ times: [], nodes: [] });
  });

  test("each observation is one sample, in its quarter of an hour and its day", async () => {
    const { observe, wait, be, history, series } = await scene();
    await observe();
    wait(minuteMs);
    be("Issues");
    await observe();
    wait(quarterMs);
    be("Down");
    await observe();
    const quarters = { ok: [...zeros(94), 1, 0], issues: [...zeros(94), 1, 0], down: [...zeros(95), 1] };
    const ofDay = [...zeros(89), 1];
    expect(await history()).toMatchObject({
      quartersFrom: start - 94 * quarterMs,
      daysFrom: start - (start % dayMs) - 89 * dayMs,
      now: "Down",
      quarters,
      days: { ok: ofDay, issues: ofDay, down: ofDay },
    });
    const columns = {
      cpu: [10, 10, null],
      memory: [40, 40, null],
      ipv4: [812, 812, null],
      ipv6: [640, 640, null],
    };
    expect(await series()).toEqual({
      times: [start, start + minuteMs, start + minuteMs + quarterMs],
      nodes: [{ node: "de01", ...columns }],
    });
  });

  test("two observations at the same time store one sample", async () => {
    const { observe, wait, history } = await scene();
    await observe();
    wait(minuteMs / 3);
    await observe();
    wait(minuteMs);
    await observe();
    expect((await history()).days.ok.at(-1)).toBe(2);
  });

  test("a clock that is slightly behind adds no observation, and one that was set far back stops none", async () => {
    const { observe, wait, history } = await scene();
    await observe();
    wait(-1000);
    await observe();
    expect((await history()).days.ok.at(-1)).toBe(1);
    wait(-quarterMs);
    await observe();
    wait(minuteMs);
    await observe();
    expect((await history()).days.ok.at(-1)).toBe(3);
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

  test("an observation of a node has one request at a time, for which one connection is enough", async () => {
    const { observe, mostRequests } = await scene();
    await observe();
    expect(mostRequests()).toBe(1);
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
    const rows = async (table: "node_samples" | "node_quarters" | "node_days") =>
      (await db.selectFrom(table).selectAll().execute()).length;
    await recordPeerings(db, ["de01"]);
    await observe();
    wait(4 * 60 * minuteMs);
    await observe();
    expect(await rows("node_samples")).toBe(1);
    // The half hour that was put aside is moved without its old counters.
    wait(minuteMs);
    await observe();
    const traffic = await db.selectFrom("past_half_hours").select("traffic").execute();
    expect(traffic).toEqual([{ traffic: "" }]);
    expect(await rows("node_quarters")).toBe(2);
    wait(2 * dayMs);
    await observe();
    expect([await rows("node_quarters"), await rows("node_days")]).toEqual([1, 2]);
    const { days } = await history();
    expect(days.ok.slice(-3)).toEqual([3, 0, 1]);
    wait(91 * dayMs);
    await observe();
    expect(await rows("node_days")).toBe(1);
  });

  test("traffic is the rate between two observations, and absent where the counter restarted", async () => {
    const { db, report, observe, wait, traffic } = await scene();
    await recordPeerings(db, ["de01"]);
    for (const rxBytes of [1000, 61_000, 500, 6500]) {
      report("de01", [observed({ rxBytes })]);
      await observe();
      wait(minuteMs);
    }
    const times = [1, 3].map((minutes) => start + minutes * minuteMs);
    const rates = { times, nodes: [{ node: "de01", received: [1000, 100], sent: [0, 0] }] };
    expect(await traffic()).toEqual(rates);
    // At the end of the half hour the counters are put aside, and later moved.
    for (const minutes of [21, 5, 25]) {
      wait(minutes * minuteMs);
      report("de01", null);
      await observe();
      expect(await traffic()).toEqual({ ...rates, times: [...times, expect.any(Number)] });
    }
    report("de01", [observed({ rxBytes: 7000 })]);
    await observe();
    expect((await traffic()).nodes[0]?.received.filter((rate) => rate !== null)).toEqual([1000, 100]);
  });

  test("the columns in memory are those of the database, after hours and after a clock was set back", async () => {
    const { db, observe, wait, be, now } = await scene();
    const readSeries = createNodeSeries(db, ["de01"]);
    const readHistory = createHistory(db, ["de01"]);
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
      expect(await readSeries(now())).toEqual(await createNodeSeries(db, ["de01"])(now()));
      expect(await readHistory(now())).toEqual(await createHistory(db, ["de01"])(now()));
      wait(ms);
    }
    expect((await readSeries(now())).times).toEqual([]);
  });
});
