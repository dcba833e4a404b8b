/** What the server observed of its nodes, kept in both databases and told over HTTP. */
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import type { Transport } from "../../../src/contract/client.ts";
import { type Database, openDatabase } from "../../../src/server/db/open.ts";
import { createAgents } from "../../../src/server/features/nodes/agents.ts";
import { observationHandlers } from "../../../src/server/features/observations/handlers.ts";
import { createObserver } from "../../../src/server/features/observations/observer.ts";
import { createLog } from "../../../src/server/http/log.ts";
import { describeEachDatabase, type TestDatabase } from "../../setup/databases.ts";
import { demoServer } from "./demo-server.ts";
import { caller, ended, peerUpdate, setNodeMode, signUp } from "./participant.ts";

const asn = "4242420001";
const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
/** Half past ten in the morning, UTC. */
const start = Date.UTC(2026, 10, 21, 10, 30);

type NodeState = "OK" | "Issues" | "Down";

/** A node's agent as the server's transport sees it. */
function agentOf(state: () => NodeState, received: () => number): Transport {
  const answers: Record<string, () => unknown> = {
    "/v1/health": () => ({ status: state(), uptimeSeconds: 1, load: [0, 0, 0], issues: [] }),
    "/v1/usage": () => ({ cpuPercent: 12.5, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } }),
    "/v1/observe": () => [observed(received())],
  };
  return async ({ path }) => {
    if (state() === "Down") throw new Error("nobody is there");
    return { status: 200, text: async () => JSON.stringify(answers[path]?.()) };
  };
}

function observed(rxBytes: number) {
  const tunnel = { state: "Up", rxBytes, txBytes: 0, handshakeAgeSeconds: 1, latencyMs: 1, issues: [] };
  return { asn, tunnel, bgpStatus: "OK", sessions: [], bgpIssues: [] };
}

async function onObserved(): Promise<void> {}

function onError(error: unknown): never {
  throw error;
}

describeEachDatabase("observations", (openTestDatabase) => {
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

  /** A node, a clock, and an observer that looks when it is told to. */
  async function scene() {
    const { db, locks } = await open();
    let now = start;
    let state: NodeState = "OK";
    let received = 1000;
    const clock = () => now;
    const agents = createAgents(
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
    const observer = createObserver({
      db: counted,
      agents,
      locks,
      clock,
      log,
      everyMs: minuteMs,
      onObserved,
    });
    // New ones each time: answers are shared for some seconds of real time.
    const handlers = () => observationHandlers({ db, agents, clock });
    return {
      db,
      look: () => observer.look(),
      /** By the observer, until now. */
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

  test("nothing that nobody looked at looks healthy", async () => {
    const { history, samples } = await scene();
    const { now, quarters, days } = await history();
    expect(now).toBeNull();
    expect(quarters).toHaveLength(96);
    expect(days).toHaveLength(90);
    for (const { ok, issues, down } of [...quarters, ...days]) expect([ok, issues, down]).toEqual([0, 0, 0]);
    expect(await samples()).toEqual({ node: "de01", samples: [], traffic: null });
  });

  test("each look is one sample, in its quarter and its day", async () => {
    const { look, wait, be, history, samples } = await scene();
    await look();
    wait(minuteMs);
    be("Issues");
    await look();
    wait(quarterMs);
    be("Down");
    await look();
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

  test("two servers that look at the same time keep one sample", async () => {
    const { look, wait, history } = await scene();
    await look();
    wait(minuteMs / 3);
    await look();
    wait(minuteMs);
    await look();
    expect((await history()).days.at(-1)?.ok).toBe(2);
  });

  test("a clock that is a little behind adds no look, one that was set far back stops none", async () => {
    const { look, wait, history } = await scene();
    await look();
    wait(-1000);
    await look();
    expect((await history()).days.at(-1)?.ok).toBe(1);
    wait(-quarterMs);
    await look();
    wait(minuteMs);
    await look();
    expect((await history()).days.at(-1)?.ok).toBe(3);
  });

  test("a look reads no more the more looks are kept", async () => {
    const { look, wait, rowsRead } = await scene();
    await look();
    const read: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      wait(minuteMs);
      const before = rowsRead();
      await look();
      read.push(rowsRead() - before);
    }
    expect(read).toEqual([1, 1, 1]);
  });

  test("a state that nobody has seen for a while is nobody's state now", async () => {
    const { look, wait, history } = await scene();
    await look();
    wait(5 * minuteMs);
    expect((await history()).now).toBe("OK");
    wait(minuteMs);
    expect((await history()).now).toBeNull();
  });

  test("what is older than it is shown is not kept", async () => {
    const { db, look, wait, history } = await scene();
    const rows = async (table: "node_samples" | "node_days" | "traffic_samples") =>
      (await db.selectFrom(table).selectAll().execute()).length;
    await look();
    wait(4 * 60 * minuteMs);
    await look();
    expect([await rows("node_samples"), await rows("traffic_samples")]).toEqual([2, 1]);
    wait(2 * dayMs);
    await look();
    expect([await rows("node_samples"), await rows("node_days")]).toEqual([1, 2]);
    const { days } = await history();
    expect(days.map(({ ok }) => ok).slice(-3)).toEqual([2, 0, 1]);
    wait(91 * dayMs);
    await look();
    expect(await rows("node_days")).toBe(1);
  });

  test("traffic is a rate between two looks, and none where the counter began anew", async () => {
    const { db, look, wait, receive, samples } = await scene();
    await insertPeering(db);
    const received = [1000, 61_000, 500, 6500];
    for (const bytes of received) {
      receive(bytes);
      await look();
      wait(minuteMs);
    }
    expect((await samples())?.traffic).toEqual([
      { at: start + minuteMs, received: 1000, sent: 0 },
      { at: start + 3 * minuteMs, received: 100, sent: 0 },
    ]);
  });
});

/** What makes the caller peered with the node. */
function insertPeering(db: Database["db"]) {
  const row = { generation: 1, revision: 1, present: 1, request: "{}", peering: "{}", listen_port: 20_001 };
  return db
    .insertInto("peerings")
    .values({ asn, node: "de01", ...row, peer_ipv4: null, peer_ipv6: null, public_key: "" })
    .execute();
}

test("over HTTP: anybody sees the nodes' history, a participant their own traffic alone", async () => {
  await using server = await demoServer({ observeEveryMs: 200, timeScale: 0.05 });
  const anonymous = caller(server.url);
  const nodes = await until(
    () => anonymous(calls.getNodeHistory, undefined),
    (found) => found.every(({ now }) => now === "OK"),
  );
  expect(nodes.map(({ node }) => node)).toEqual(["syd01", "per01", "sin01", "de01", "ny01", "za01"]);
  await setNodeMode(server.url, "za01", "offline");
  await until(
    () => anonymous(calls.getNodeHistory, undefined),
    (found) => found.some(({ node, now }) => node === "za01" && now === "Down"),
  );

  const participant = await signUp(server.url, asn);
  const task = await participant.call(calls.updatePeerConfig, [{ username: asn }, peerUpdate()]);
  await ended(participant, task.taskID);
  const samples = await until(
    () => participant.call(calls.getNodeSamples, { username: asn }),
    (found) => found.some(({ traffic }) => traffic !== null && traffic.length > 0),
  );
  expect(samples.filter(({ traffic }) => traffic !== null).map(({ node }) => node)).toEqual(["syd01"]);
  const syd01 = samples.find(({ node }) => node === "syd01");
  expect(syd01?.samples.at(-1)?.routes?.ipv4).toBeGreaterThan(0);
});

/** Asks until the answer is the one that is waited for; the test's own time limit ends it. */
async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
