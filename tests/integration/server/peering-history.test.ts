/** The last 24 hours of peerings, as the server observes them and stores them in half hours. */
import * as v from "valibot";
import { expect, test } from "vitest";
import { halfHourMs, peeringHistories, shownHalfHours } from "#contract/history.ts";
import { addTask } from "#server/features/peerings/deployment/task-store.ts";
import { removeDesired } from "#server/features/peerings/desired-peerings.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import {
  asn,
  type Change,
  decodeHistory,
  minuteMs,
  observeEach,
  observed,
  openScene,
  recordPeerings,
  type Scene,
  type SceneOptions,
  start,
} from "./observed-peerings.ts";

const other = "4242420002";

const changed = (seconds: number, up: boolean) => ({
  node: "de01",
  families: ["IPv6"],
  at: start + seconds * 1000,
  up,
});

async function newest(opened: Scene, count: number) {
  const { peerings } = await opened.histories();
  const [history] = peerings;
  if (!history) throw new Error("no history");
  return decodeHistory(history, count);
}

describeWithDatabase("the history of peerings", { postgres: "share" }, (openTestDatabase) => {
  /** A recorded peering on de01. */
  async function scene(options?: SceneOptions): Promise<Scene> {
    const opened = await openScene(await openTestDatabase(), options);
    await recordPeerings(opened.db, ["de01"]);
    return opened;
  }

  test("of a peering that was never observed is empty", async () => {
    const { histories } = await scene();
    expect(await histories()).toEqual({
      from: start - (shownHalfHours - 1) * halfHourMs,
      peerings: [
        {
          node: "de01",
          up: ".".repeat(shownHalfHours),
          latency: null,
          accepted: null,
          refused: null,
          traffic: null,
        },
      ],
    });
    expect(await histories(other)).toMatchObject({ peerings: [] });
  });

  test("has an observation at a boundary in the half hour that begins", async () => {
    const opened = await scene();
    opened.wait(-minuteMs);
    await observeEach(opened, "de01", [{ isUp: false }, { isUp: true }]);
    expect(await newest(opened, 3)).toMatchObject({ up: [null, 0, 1] });
  });

  test("counts a peering with issues as up, and its share of the observations", async () => {
    const opened = await scene();
    await observeEach(opened, "de01", [{ routes: [2, 1] }, { isUp: false }, {}, {}]);
    const { up } = await newest(opened, 1);
    expect(up[0]).toBeCloseTo(0.75, 1);
  });

  test("has the median of the round trips, also after a restart in the middle of the half hour", async () => {
    const opened = await scene();
    await observeEach(opened, "de01", [{ latencyMs: 10 }, { latencyMs: 90 }, { latencyMs: null }]);
    opened.restart();
    await observeEach(opened, "de01", [{ latencyMs: 20 }, { latencyMs: 30 }]);
    expect(await newest(opened, 1)).toMatchObject({ up: [1], latency: [25] });
    opened.wait(halfHourMs);
    await observeEach(opened, "de01", [{ latencyMs: null }]);
    expect(await newest(opened, 2)).toMatchObject({ up: [1, 1], latency: [25, null] });
    const rows = await opened.db.selectFrom("current_half_hours").select("latencies").execute();
    expect(rows).toEqual([{ latencies: "" }]);
  });

  test("has the routes at the end of the half hour", async () => {
    const opened = await scene();
    await observeEach(opened, "de01", [{ routes: [9, 0] }, { routes: [4, 3] }, { routes: null }]);
    expect(await newest(opened, 1)).toMatchObject({ accepted: [4], refused: [3] });
  });

  test("adds the bytes of both directions, and counts a recreated tunnel from zero", async () => {
    const opened = await scene();
    await observeEach(opened, "de01", [
      { rxBytes: 5_000_000_000, txBytes: 1000 },
      { rxBytes: 5_000_000_700, txBytes: 1100 },
      // The tunnel was recreated: both counters began at zero, though one is above its last value.
      { rxBytes: 30, txBytes: 1200 },
      { rxBytes: 40, txBytes: 1200 },
    ]);
    expect(await newest(opened, 1)).toMatchObject({ traffic: [800 + 1230 + 10] });
  });

  test("counts the traffic between two half hours in the later one, and not that of a long gap", async () => {
    const opened = await scene();
    opened.wait(halfHourMs - minuteMs);
    await observeEach(opened, "de01", [{ rxBytes: 100 }, { rxBytes: 175 }]);
    expect(await newest(opened, 2)).toMatchObject({ traffic: [null, 75] });
    opened.wait(2 * halfHourMs);
    await observeEach(opened, "de01", [{ rxBytes: 999_175 }, { rxBytes: 999_180 }]);
    expect(await newest(opened, 4)).toMatchObject({ traffic: [null, 75, null, 5] });
  });

  test("has nothing of the time in which the node did not respond", async () => {
    const opened = await scene();
    await observeEach(opened, "de01", [{}]);
    opened.wait(halfHourMs);
    opened.report("de01", null);
    await opened.observe();
    opened.wait(halfHourMs);
    await observeEach(opened, "de01", [{ isUp: false }]);
    expect(await newest(opened, 3)).toMatchObject({ up: [1, null, 0] });
  });

  test("is of this AS alone, by node", async () => {
    const opened = await scene({ nodes: ["de01", "ny01"] });
    await recordPeerings(opened.db, ["ny01"]);
    await recordPeerings(opened.db, ["ny01"], other);
    opened.report("de01", [observed({ latencyMs: 1 }), observed({ asn: other, latencyMs: 2 })]);
    opened.report("ny01", [observed({ asn: other, latencyMs: 3 })]);
    await opened.observe();
    const own = await opened.histories();
    expect(own.peerings.map(({ node, latency }) => [node, latency?.[0]])).toEqual([
      ["de01", 1],
      ["ny01", undefined],
    ]);
    const { peerings } = await opened.histories(other);
    expect(peerings.map(({ node, latency }) => [node, latency?.[0]])).toEqual([["ny01", 3]]);
  });

  test("of a peering that the node no longer runs is deleted after a day", async () => {
    const opened = await scene();
    const countRows = async () => [
      (await opened.db.selectFrom("current_half_hours").selectAll().execute()).length,
      (await opened.db.selectFrom("past_half_hours").selectAll().execute()).length,
    ];
    await observeEach(opened, "de01", [{}]);
    opened.wait(halfHourMs);
    opened.report("de01", []);
    await opened.observe();
    expect(await countRows()).toEqual([1, 0]);
    opened.wait(23 * 2 * halfHourMs);
    await opened.observe();
    expect(await countRows()).toEqual([1, 0]);
    opened.wait(3 * halfHourMs);
    await opened.observe();
    expect(await countRows()).toEqual([0, 0]);
  });

  test("is deleted with the peering, and a later one on the node begins without it", async () => {
    const opened = await scene({ nodes: ["de01", "ny01"] });
    await recordPeerings(opened.db, ["ny01"]);
    opened.report("ny01", [observed()]);
    await observeEach(opened, "de01", [{}]);
    opened.wait(halfHourMs);
    await observeEach(opened, "de01", [{}]);
    await opened.db.transaction().execute((tx) => removeDesired(tx, asn, "de01"));
    await recordPeerings(opened.db, ["de01"]);
    const { peerings } = await opened.histories();
    expect(peerings.map(({ node, up }) => [node, up.slice(-2)])).toEqual([
      ["de01", ".."],
      ["ny01", "__"],
    ]);
  });

  test("has when the session changed, to the second, also after the agent has started again", async () => {
    const opened = await scene();
    const stored = async () => (await opened.db.selectFrom("session_states").selectAll().execute()).length;
    await observeEach(opened, "de01", [
      { isUp: false, stateAgeSeconds: 20 },
      { stateAgeSeconds: 31, changeAgesSeconds: [31] },
      { stateAgeSeconds: 5, changeAgesSeconds: [5, 12, 91] },
      // The agent has started again.
      {},
      { isUp: false },
    ]);
    const changes = [changed(240, false), changed(115, true), changed(108, false), changed(29, true)];
    expect(await opened.sessionChanges()).toEqual({ changes });
    // A node that does not respond ends nothing, and after a week its changes are deleted.
    opened.report("de01", null);
    opened.wait(7 * 24 * 60 * minuteMs - 3 * minuteMs);
    await opened.observe();
    expect(await opened.sessionChanges()).toEqual({ changes: changes.slice(0, 1) });
    const rows = await opened.db.selectFrom("session_states").select("sessions").execute();
    expect(JSON.parse(rows[0]?.sessions ?? "")).toMatchObject([
      { up: false, changes: [[start + 240_000, false]] },
    ]);
    // What is not stored is written once, and nothing of it is left of a deleted peering.
    await opened.db.transaction().execute((tx) => removeDesired(tx, asn, "de01"));
    expect(await stored()).toBe(0);
    opened.report("de01", [observed()]);
    await opened.observe();
    expect(await stored()).toBe(0);
  });

  test("leaves out what a peering that was just deployed waits for", async () => {
    const opened = await scene();
    const facts = { endpoint: "198.51.100.1:51820", hasPresharedKey: false };
    const waiting: Change = { isUp: false, findings: [{ code: "no-handshake", facts }] };
    const tasks = { asn, node: "de01", generation: 1, request: {} as never, previous: null, waitMs: 1 };
    const { id } = await addTask(opened.db, tasks, { now: opened.now(), retentionTime: opened.now() });
    await observeEach(opened, "de01", [waiting]);
    const ended_at = opened.now();
    await opened.db.updateTable("tasks").set({ status: "success", ended_at }).where("id", "=", id).execute();
    await observeEach(opened, "de01", [waiting, waiting]);
    expect(await newest(opened, 1)).toMatchObject({ up: [null] });
    await observeEach(opened, "de01", [waiting]);
    expect(await newest(opened, 1)).toMatchObject({ up: [0] });
  });

  test("of an agent that lists an AS twice is stored once", async () => {
    const opened = await scene();
    opened.report("de01", [observed(), observed({ isUp: false })]);
    await opened.observe();
    expect(await newest(opened, 1)).toMatchObject({ up: [0] });
  });
});

describeWithDatabase("the history of many peerings", { postgres: "campaigns" }, (openTestDatabase) => {
  test("of 2,000 peerings is stored in slices, and a half hour that is over is moved minute by minute", async () => {
    const opened = await openScene(await openTestDatabase());
    const asns = Array.from({ length: 2_000 }, (_, index) => String(4_242_420_001 + index));
    await opened.db.transaction().execute(async (tx) => {
      for (const as of asns) await recordPeerings(tx, ["de01"], as);
    });
    const countPast = async () =>
      (await opened.db.selectFrom("past_half_hours").select("asn").execute()).length;
    opened.report(
      "de01",
      asns.map((as, index) => observed({ asn: as, rxBytes: index })),
    );
    await opened.observe();
    opened.wait(halfHourMs);
    const moved: number[] = [];
    for (let minute = 0; minute <= 16; minute += 1) {
      await opened.observe();
      moved.push(await countPast());
      expect(await newest(opened, 2)).toMatchObject({ up: [1, 1], accepted: [2, 2] });
      opened.wait(minuteMs);
    }
    expect(moved).toEqual(moved.map((_, minute) => Math.min(2_000, 128 * minute)));
    expect(opened.mostRowsOfTurn()).toBeLessThan(600);
  }, 60_000);

  test("of 16 peerings with noise takes at most 5 kB, with no field that the contract does not have", async () => {
    const nodes = Array.from({ length: 16 }, (_, index) => `frankfurt-router-${100 + index}`);
    const opened = await openScene(await openTestDatabase(), { nodes });
    await recordPeerings(opened.db, nodes);
    const counters = nodes.map(() => 0);
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    opened.wait(halfHourMs / 2 - 48 * halfHourMs);
    for (let halfHour = 0; halfHour < 49; halfHour += 1) {
      for (const [index, node] of nodes.entries()) {
        counters[index] = (counters[index] ?? 0) + Math.floor(random() * 4_000_000_000);
        const change: Change = {
          latencyMs: 5 + index * 12 + 20 * random(),
          rxBytes: counters[index] ?? 0,
          isUp: random() > 0.02,
          routes: index % 4 === 0 ? [20 + Math.floor(random() * 9), Math.floor(random() * 4)] : [12, 0],
        };
        opened.report(node, [observed(change)]);
      }
      await opened.observe();
      opened.wait(halfHourMs);
    }
    opened.wait(-halfHourMs);
    const histories = await opened.histories();
    expect(histories.peerings).toHaveLength(16);
    for (const { up, traffic } of histories.peerings) {
      expect(up).not.toContain(".");
      expect(traffic?.[2]).not.toContain(".");
    }
    const text = JSON.stringify(histories);
    expect(text.length).toBeLessThanOrEqual(5_000);
    expect(v.parse(peeringHistories, JSON.parse(text))).toEqual(JSON.parse(text));
  }, 60_000);
});
