/** What the server observes of its nodes, stored in both databases. `network-summary.test.ts` reads it over HTTP. */
import { expect, onTestFinished, test } from "vitest";
import type { Transport } from "#contract/client.ts";
import { type Database, openDatabase } from "#server/db/open.ts";
import type { Profile } from "#server/config/profile.ts";
import { createLinkReader } from "#server/agents/node-links.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { createNodeReader } from "#server/agents/node-reader.ts";
import { observationHandlers } from "#server/features/observations/handlers.ts";
import { observeNodes } from "#server/features/observations/observer.ts";
import { createLog } from "#server/log.ts";
import { describeShareOfDatabases, type TestDatabase } from "../../support/databases.ts";
import { agentResponse } from "../../support/agent-response.ts";

const asn = "4242420001";
const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
/** Half past ten in the morning, UTC. */
const start = Date.UTC(2026, 10, 21, 10, 30);

type NodeState = "OK" | "Issues" | "Down";

/** A transport to the agent of a node. */
function agentOf(state: () => NodeState, received: () => number): Transport {
  const responses: Record<string, () => unknown> = {
    "/v1/health": () => ({
      status: state(),
      uptimeSeconds: 1,
      load: [0, 0, 0],
      findings: [],
      version: "",
    }),
    "/v1/usage": () => ({ cpuPercent: 12.5, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } }),
    "/v1/observe": () => [observed(received())],
  };
  return async ({ path }) => {
    if (state() === "Down") throw new Error("connection refused");
    return agentResponse(responses[path]?.());
  };
}

function observed(rxBytes: number) {
  const tunnel = {
    state: "Up",
    rxBytes,
    txBytes: 0,
    handshakeAgeSeconds: 1,
    latencyMs: 1,
  };
  return { asn, tunnel, bgpStatus: "OK", sessions: [], findings: [] };
}

async function onObserved(): Promise<void> {}

function onError(error: unknown): never {
  throw error;
}

const profile: Pick<Profile, "nodes" | "publish"> = {
  nodes: [],
  publish: { peerings: false, linkLatency: false },
};

describeShareOfDatabases("observations", (openTestDatabase) => {
  async function open(): Promise<Database> {
    const at: TestDatabase = await openTestDatabase();
    const database = await openDatabase(
      at.kind === "sqlite"
        ? { dataDir: at.dataDir, url: null, onError }
        : { dataDir: "", url: at.url, onError },
    );
    onTestFinished(() => database[Symbol.asyncDispose]());
    return database;
  }

  /** A node, a clock, and an observer without a timer. */
  async function scene() {
    const { db, locks } = await open();
    let now = start;
    let state: NodeState = "OK";
    let received = 1000;
    const clock = () => now;
    const agents = createAgentClient(
      new Map([
        [
          "de01",
          agentOf(
            () => state,
            () => received,
          ),
        ],
      ]),
    );
    const log = createLog("silent");
    let rowsRead = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rowsRead += result.rows.length;
        return result;
      },
    });
    const observerDeps = {
      db: counted,
      nodeReader: createNodeReader(agents, { maxAgeMs: 0 }),
      locks,
      clock,
      retentionClock: clock,
      log,
      everyMs: minuteMs,
      onObserved,
    };
    // New handlers each time, because handlers share reads for some seconds of real time.
    const handlers = () =>
      observationHandlers({ db, agents, clock, profile, links: createLinkReader(agents) });
    return {
      db,
      observe: () => observeNodes(observerDeps, new AbortController().signal),
      /** Rows that the observer has read so far. */
      rowsRead: () => rowsRead,
      wait: (ms: number) => {
        now += ms;
      },
      be: (next: NodeState) => {
        state = next;
      },
      receive: (bytes: number) => {
        received = bytes;
      },
      history: async () => {
        const [history] = await handlers().getNodeHistory(undefined, undefined as never);
        if (!history) throw new Error("no history");
        return history;
      },
      samples: async () => {
        const [samples] = await handlers().getNodeSamples({ username: asn }, { asn } as never);
        return samples;
      },
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
    expect(days.at(-1)).toEqual({ from: Date.UTC(2026, 10, 21), ok: 1, issues: 1, down: 1 });
    expect((await samples())?.samples).toEqual([
      { at: start, cpuPercent: 12.5, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } },
      { at: start + minuteMs, cpuPercent: 12.5, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } },
      { at: start + minuteMs + quarterMs, cpuPercent: null, memoryPercent: null, routes: null },
    ]);
  });

  test("a quarter of an hour counts each of its observations, and its last one is the current state", async () => {
    const { db, observe, wait, be, history } = await scene();
    for (const state of ["OK", "OK", "Issues", "Issues", "Down", "Down"] as const) {
      be(state);
      await observe();
      wait(minuteMs);
    }
    // The history is read from the counts alone.
    await db.deleteFrom("node_samples").execute();
    const { now, quarters } = await history();
    expect(now).toBe("Down");
    expect(quarters.at(-1)).toEqual({ from: start, ok: 2, issues: 2, down: 2 });
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
    const { db, observe, wait, receive, samples } = await scene();
    await insertPeering(db);
    const received = [1000, 61_000, 500, 6500];
    for (const bytes of received) {
      receive(bytes);
      await observe();
      wait(minuteMs);
    }
    expect((await samples())?.traffic).toEqual([
      { at: start + minuteMs, received: 1000, sent: 0 },
      { at: start + 3 * minuteMs, received: 100, sent: 0 },
    ]);
  });
});

/** Gives the caller a peering on the node. */
function insertPeering(db: Database["db"]) {
  const row = { generation: 1, revision: 1, present: 1, request: "{}", peering: "{}", listen_port: 20_001 };
  return db
    .insertInto("peerings")
    .values({ asn, node: "de01", ...row, peer_ipv4: null, peer_ipv6: null, public_key: "" })
    .execute();
}
