/** What everyone may read of the nodes and their links. */
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { Connection } from "#contract/entities.ts";
import type { NodeHistories } from "#contract/history.ts";
import { halfHourMs, networkSummary, peeringHistories, shownHalfHours } from "#contract/history.ts";
import type { NodeProfile } from "#server/config/profile.ts";
import { decodePlot, decodeShares } from "#domain/plot.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { demoServer } from "./demo-server.ts";
import { minuteMs, observed, openScene, recordPeerings, start } from "./observed-peerings.ts";
import { deployPeering, setNodeMode, signUp } from "./participant.ts";
import { demoProfile } from "./profile-server.ts";

const dayMs = 24 * 60 * minuteMs;

function nodesNamed(names: readonly string[], maxPeerings: number | null = null): readonly NodeProfile[] {
  const [any] = demoProfile.nodes;
  if (!any) throw new Error("the demo has no node");
  return names.map((name) => Object.assign({}, any, { name, maxPeerings }));
}

describeWithDatabase("the summary of the network", { postgres: "share" }, (openTestDatabase) => {
  test("of nodes that were never observed is empty, and publishes nothing by default", async () => {
    const profile = { nodes: nodesNamed(["ny01", "de01"]) };
    const { db, summary } = await openScene(await openTestDatabase(), { profile });
    await recordPeerings(db, ["de01"]);
    const empty = { now: null, up: ".".repeat(48), uptime: null, cpu: null, peerings: null, capacity: null };
    expect(await summary()).toEqual({
      from: start - (shownHalfHours - 1) * halfHourMs,
      nodes: [
        { node: "ny01", ...empty },
        { node: "de01", ...empty },
      ],
      links: [],
    });
  });

  test("has each node's state, half hours, uptime and mean CPU usage", async () => {
    const profile = { nodes: nodesNamed(["de01"]) };
    const scene = await openScene(await openTestDatabase(), { profile });
    await scene.db
      .insertInto("node_days")
      .values({ node: "de01", day: start - (start % dayMs) - 89 * dayMs, ok: 90, issues: 4, down: 5 })
      .execute();
    scene.wait(-20 * minuteMs);
    scene.report("de01", null);
    await scene.observe();
    scene.report("de01", []);
    // At 10:20, 10:30, 10:50 and 10:51.
    for (const [minutes, percent] of [
      [10, 10],
      [10, 31],
      [20, 40],
      [1, null],
    ] as const) {
      scene.wait(minutes * minuteMs);
      scene.useCpu(percent);
      await scene.observe();
    }
    const { nodes } = await scene.summary();
    const [node] = nodes;
    if (!node?.cpu) throw new Error("no CPU usage");
    expect(node.now).toBe("OK");
    expect(decodeShares(node.up).slice(-2)).toEqual([expect.closeTo(0.5, 1), 1]);
    // At 10:20, when it responded again, and not at the beginning of a half hour.
    expect(node.since).toBe(start - 10 * minuteMs);
    scene.report("de01", null);
    scene.wait(11 * minuteMs);
    await scene.observe();
    scene.wait(3 * minuteMs);
    await scene.observe();
    const silent = { now: "Down", since: start + 32 * minuteMs };
    const [last] = (await scene.summary()).nodes;
    expect(last).toMatchObject(silent);
    expect(decodeShares(last?.up ?? "").slice(-1)).toEqual([null]);
    expect((await scene.nodeHistory()).nodes).toMatchObject([silent]);
    scene.wait(6 * minuteMs);
    expect((await scene.summary()).nodes[0]?.since).toBeUndefined();
    expect(decodePlot(node.cpu, 48).slice(-2)).toEqual([10, expect.closeTo(35.5)]);
    expect(node.uptime).toBeCloseTo(98 / 104, 10);
  });

  test("publishes the numbers of peerings if the profile says so, and capacities", async () => {
    const profile = {
      nodes: nodesNamed(["de01", "ny01"], 60),
      publish: { peerings: true, linkLatency: false },
    };
    const scene = await openScene(await openTestDatabase(), { nodes: ["de01", "ny01"], profile });
    const { db, observe, summary } = scene;
    await recordPeerings(db, ["de01"]);
    await recordPeerings(db, ["de01"], "4242420002");
    await observe();
    const { nodes } = await summary();
    expect(nodes.map(({ peerings, capacity }) => [peerings, capacity])).toEqual([
      [2, 60],
      [0, 60],
    ]);
  });

  test("says which nodes accept new peerings, whether their numbers are published or not", async () => {
    const limits = [null, 3, 2, 1, 0];
    const names = limits.map((limit) => `${limit ?? "no"}-limit`);
    const nodes = names.flatMap((name, index) => nodesNamed([name], limits[index]));
    const { db, observe, summary } = await openScene(await openTestDatabase(), {
      nodes: names,
      profile: { nodes },
    });
    for (const asn of ["4242420001", "4242420002"]) await recordPeerings(db, names, asn);
    await observe();
    expect((await summary()).nodes.map(({ peerings, newPeers }) => [peerings, newPeers])).toEqual([
      [null, undefined],
      [null, "open"],
      [null, "full"],
      [null, "full"],
      [null, "closed"],
    ]);
  });

  test("is read from what the last observation stored, and is the same before the first one after an upgrade", async () => {
    const profile = { nodes: nodesNamed(["de01"]), publish: { peerings: true, linkLatency: false } };
    const { db, observe, summary, wait } = await openScene(await openTestDatabase(), { profile });
    await recordPeerings(db, ["de01"]);
    for (let count = 0; count < 3; count += 1) {
      wait(20 * minuteMs);
      await observe();
    }
    const stored = await summary();
    const rows = await db.selectFrom("node_summaries").selectAll().execute();
    await db.deleteFrom("node_summaries").execute();
    // But not since when a node is in its state.
    const nodes = stored.nodes.map(({ since: _since, ...node }) => node);
    expect(await summary()).toEqual({ ...stored, nodes });
    await db.insertInto("node_summaries").values(rows).execute();
    await db.deleteFrom("node_quarters").execute();
    await db.deleteFrom("node_days").execute();
    await db.deleteFrom("peerings").execute();
    expect(await summary()).toEqual(stored);
  });

  test("forgets nodes that were not observed for a day", async () => {
    const { db, observe, now } = await openScene(await openTestDatabase());
    const former = {
      half_hours: "[]",
      uptime: 1,
      peerings: 0,
      last_state: "OK" as const,
      state_since: null,
    };
    const dayAgo = now() - dayMs;
    await db
      .insertInto("node_summaries")
      .values([
        { ...former, node: "sin01", last_at: dayAgo - 20 * minuteMs },
        { ...former, node: "ny01", last_at: dayAgo + minuteMs },
      ])
      .execute();
    await observe();
    const rows = await db.selectFrom("node_summaries").select("node").orderBy("node").execute();
    expect(rows.map(({ node }) => node)).toEqual(["de01", "ny01"]);
  });

  test("says that a node does not forward packets, and nothing about its inside", async () => {
    const profile = { nodes: nodesNamed(["de01"]) };
    const scene = await openScene(await openTestDatabase(), { profile });
    const problems = async () => [
      (await scene.summary()).nodes[0]?.problem,
      (await scene.nodeHistory()).nodes[0]?.problem,
    ];
    scene.beHealthy(false, [
      { code: "forwarding-off", facts: { settings: ["net.ipv4.conf.dn42_1.forwarding"], count: 1 } },
      { code: "conntrack-full", facts: { used: 9, limit: 10 } },
    ]);
    // Not observed yet.
    expect(await problems()).toEqual([undefined, undefined]);
    await scene.observe();
    const sentence = "The node does not forward packets at the moment.";
    expect(await problems()).toEqual([sentence, sentence]);
    expect(JSON.stringify([await scene.summary(), await scene.nodeHistory()])).not.toMatch(/dn42_|conntrack/);
    // Other problems are not published.
    scene.beHealthy(false, [{ code: "heavy-load", facts: {} }]);
    expect(await problems()).toEqual([undefined, undefined]);
    scene.report("de01", null);
    expect(await problems()).toEqual([undefined, undefined]);
  });

  test("has the state of the last observation of the nodes, also of a node that is down", async () => {
    const profile = { nodes: nodesNamed(["de01"]) };
    const scene = await openScene(await openTestDatabase(), { profile });
    const now = async () => (await scene.summary()).nodes[0]?.now;
    scene.report("de01", [observed()]);
    await scene.observe();
    expect(await now()).toBe("OK");
    scene.wait(minuteMs);
    scene.report("de01", null);
    await scene.observe();
    expect(await now()).toBe("Down");
    scene.wait(6 * minuteMs);
    expect(await now()).toBeNull();
  });
});

test("over HTTP, the demo responds with what the contract has and nothing else", async () => {
  const server = await demoServer({ withHistory: true, observeEveryMs: 200, timeScale: 0.05 });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const participant = await signUp(server.url, "4242420001");
  const read = async () => (await fetch(server.url + calls.getNetworkSummary.path)).json();
  // Other participants peer with every node.
  const others = await waitFor(async () => {
    const counts = v.parse(networkSummary, await read()).nodes.map(({ peerings }) => peerings ?? 0);
    expect(counts).toHaveLength(6);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    return counts[0] as number;
  });
  await deployPeering(participant, "syd01", { remote_ip: "router.example.org" });
  const countsPeering = async () => {
    const summary = await read();
    expect(summary).toMatchObject({ nodes: [{ node: "syd01", peerings: others + 1 }, {}, {}, {}, {}, {}] });
    return summary;
  };
  await waitFor(async () => {
    const [status] = await participant.call(calls.getPeerStatus, { username: participant.asn });
    expect(status?.bgp_status).toBe("OK");
  });
  const { output } = await participant.call(calls.getPeerAdvertisedRoutes, {
    username: participant.asn,
    node: "syd01",
  });
  // The node has a session with each of the others. The remaining routes come from other nodes.
  const sources = Array.from(output.matchAll(/\[(dn42|ibgp)_(\w+?)_v[46] /g), ([, kind, name]) => ({
    kind,
    name,
  }));
  const neighbours = sources.filter(({ kind }) => kind === "dn42").map(({ name }) => name);
  expect(new Set(neighbours).size).toBe(others);
  expect(sources.some(({ kind }) => kind === "ibgp")).toBe(true);
  expect(await (await fetch(`${server.url}/healthz`)).text()).toBe("ok\n");
  const summary = await waitFor(countsPeering);
  expect(v.parse(networkSummary, summary)).toEqual(summary);
  const { nodes, links } = v.parse(networkSummary, summary);
  expect(nodes.map(({ node }) => node)).toEqual(demoProfile.nodes.map(({ name }) => name));
  for (const { up, uptime, cpu } of nodes) {
    expect(up.slice(0, -1)).not.toContain(".");
    expect(uptime).toBeGreaterThan(0.97);
    expect(cpu?.[1]).toBeGreaterThan(0);
  }
  expect(links.length).toBeGreaterThanOrEqual(5);
  const pairs = links.map(({ from, to }) => `${from} ${to}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(links.find(({ from, to }) => from === "per01" && to === "syd01")?.latency ?? 47).toBeCloseTo(47, 0);

  const readMap = async () =>
    (await (await fetch(server.url + calls.mapVPNStatus.path)).json()) as Connection[];
  for (const link of await readMap()) expect(Object.keys(link)).toEqual(["from", "to", "status"]);

  const readNodeHistory = async () =>
    (await (await fetch(server.url + calls.getNodeHistories.path)).json()) as NodeHistories;
  const nodeHistory = await readNodeHistory();
  expect(nodeHistory.nodes.map(({ node }) => node)).toEqual(demoProfile.nodes.map(({ name }) => name));
  for (const { days } of nodeHistory.nodes) expect(days.ok.filter((count) => count > 0)).toHaveLength(90);
  const traffic = await waitFor(async () => {
    const found = await participant.call(calls.getTrafficSeries, { username: participant.asn });
    expect(found.nodes[0]?.received.length).toBeGreaterThan(0);
    return found;
  });
  expect(traffic.nodes.map(({ node }) => node)).toEqual(["syd01"]);
  const series = await participant.call(calls.getNodeSeries, undefined);
  expect(series.nodes.find(({ node }) => node === "syd01")?.ipv4.at(-1)).toBeGreaterThan(0);

  const readSeries = (headers: Readonly<Record<string, string>> = {}) =>
    fetch(server.url + calls.getNodeSeries.path, { headers: { cookie: participant.cookie, ...headers } });
  const first = await readSeries();
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const sent of [etag, `"other", W/${etag}`]) {
    const confirmed = await readSeries({ "if-none-match": sent });
    expect([confirmed.status, confirmed.headers.get("etag"), await confirmed.text()]).toEqual([
      304,
      etag,
      "",
    ]);
    expect(confirmed.headers.get("cache-control")).toBe("no-store");
  }
  expect((await readSeries({ "if-none-match": '"other"' })).status).toBe(200);
  expect((await readSeries({ cookie: "", "if-none-match": etag })).status).toBe(401);

  const readHistories = () => participant.call(calls.getPeeringHistory, { username: participant.asn });
  await waitFor(async () => expect((await readHistories()).peerings[0]?.up).toMatch(/[^.]$/));
  const response = await fetch(server.url + calls.getPeeringHistory.path, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: participant.cookie },
    body: JSON.stringify({ username: participant.asn }),
  });
  const histories = await response.json();
  expect(v.parse(peeringHistories, histories)).toEqual(histories);
  expect(v.parse(peeringHistories, histories).peerings).toMatchObject([{ node: "syd01" }]);
  await setNodeMode(server.url, "za01", "offline");
  const roundTrips = await participant.call(calls.getEndpointRoundTrips, { username: participant.asn });
  expect(roundTrips.endpoint).toBe("router.example.org");
  expect(roundTrips.nodes.filter(({ latency }) => latency === null)).toEqual([
    { node: "za01", latency: null },
  ]);
  await waitFor(async () => {
    const { nodes: later } = v.parse(networkSummary, await read());
    expect(later.at(-1)).toMatchObject({ node: "za01", now: "Down" });
    expect((await readNodeHistory()).nodes.at(-1)).toMatchObject({ node: "za01", now: "Down" });
  });
});
