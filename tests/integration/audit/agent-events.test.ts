/** What agents do by themselves: repairs, in the activity of the AS and in the operator's log, each once. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { systemClock } from "#agent/clock.ts";
import { maxEventsPerCall } from "#contract/call-tables/agent-event-calls.ts";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import type { CodedFacts } from "#contract/agent/findings.ts";
import type { Finding } from "#domain/findings/findings.ts";
import type { Db } from "#server/db/open.ts";
import {
  createTestDatabase,
  describeEachDatabase,
  describeWithDatabase,
  openAsServer,
  type TestDatabase,
} from "../../support/databases.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import { runCommand } from "../provider/program.ts";
import { startAgentWithRouter } from "../server/agent-with-router.ts";
import { startNodeServer } from "../server/node-server.ts";
import { deployPeering, logIn, type Participant, signUp } from "../server/participant.ts";
import { openSimulatedNode } from "../server/simulated-node.ts";
import { createListedEvents, eventOf, type ListedEvents, withEvents } from "./listed-events.ts";

const node = "syd01";
const host = `${node}.demo.dn42`;
const asn = "4242420001";
const reconcileEveryMs = 50;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const repaired = `${host} repaired your tunnel, which was missing or had been changed.`;

async function readActivity({ asn: username, call }: Participant) {
  const { entries } = await call(calls.getActivity, { username });
  return entries.filter(({ kind }) => /^(tunnel|endpoint|router|agent)-/.test(kind));
}

async function readTexts(participant: Participant): Promise<readonly string[]> {
  return (await readActivity(participant)).map(({ text }) => text);
}

const settingsOf = (at: TestDatabase) =>
  at.kind === "sqlite" ? { DATA_DIR: at.dataDir } : { DATABASE_URL: at.url, DATA_DIR: scratchFolder() };

/** The lines that the operator reads about agents, without times and the newest first. */
async function readOperatorLog(at: TestDatabase): Promise<readonly string[]> {
  const { output } = await runCommand("src/main.ts", ["audit", "--since", "30d"], settingsOf(at));
  const lines = output.split("\n").map((line) => line.replace(/^\S+Z {2}/, ""));
  return lines.filter((line) => /\(kind=(tunnel|endpoint|router|agent)-/.test(line));
}

function readRows(at: TestDatabase) {
  return editDatabase(at, (db) =>
    db
      .selectFrom("audit_events")
      .select(["kind", "asn", "at", "detail"])
      .where("node", "=", node)
      .where("task", "is", null)
      .where("kind", "not in", ["peering-created", "peering-changed"])
      .orderBy("id")
      .execute(),
  );
}

/** A finding with this output of the router. */
function printed(output: string): CodedFacts {
  return { code: "router-not-restored", facts: { output } };
}

async function editDatabase<T>(at: TestDatabase, edit: (db: Db) => Promise<T>): Promise<T> {
  await using database = await openAsServer(at);
  return await edit(database.db);
}

/** A simulated node without delays. */
async function simulatedNode(): Promise<Transport> {
  const opened = await openSimulatedNode(node, { clock: systemClock, timeScale: 0 });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened.transport;
}

async function copyDatabase(at: TestDatabase): Promise<TestDatabase> {
  if (at.kind === "postgres") {
    const copy = await createTestDatabase(new URL(at.url).pathname.slice(1));
    onTestFinished(() => copy[Symbol.asyncDispose]());
    return { kind: "postgres", url: copy.url };
  }
  const dataDir = await mkdtemp(join(scratchFolder(), "peerdeck-backup-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await cp(at.dataDir, dataDir, { recursive: true });
  return { kind: "sqlite", dataDir };
}

/** Waits until the server has read all events, and has asked once more. */
async function untilCollected({ list, requests }: ListedEvents): Promise<void> {
  const { id } = list.at(-1) as { readonly id: string };
  await waitFor(() => expect(requests.at(-1)?.after).toBe(id));
}

/** Starts servers on the databases of a suite. */
function useServers(openDatabase: () => Promise<TestDatabase>) {
  /** The data folder beside PostgreSQL, which contains the key of sealed values. */
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(scratchFolder(), "peerdeck-agent-events-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function serve(at: TestDatabase, transport: Transport, everyMs = reconcileEveryMs) {
    const server = await startNodeServer({
      node,
      transport,
      reconcileEveryMs: everyMs,
      dataDir: at.kind === "sqlite" ? at.dataDir : folder,
      ...(at.kind === "postgres" && { databaseUrl: at.url }),
    });
    let isRunning = true;
    const stop = async () => {
      if (isRunning) await server[Symbol.asyncDispose]();
      isRunning = false;
    };
    onTestFinished(stop);
    return { url: server.url, stop };
  }

  /** A server with a participant that has a peering, and an agent with these events. */
  async function scene(events: ListedEvents = createListedEvents()) {
    const at = await openDatabase();
    const transport = withEvents(await simulatedNode(), events);
    const server = await serve(at, transport);
    const participant = await signUp(server.url, asn);
    await deployPeering(participant, node);
    return { at, transport, server, participant, events };
  }

  return { serve, scene };
}

describeEachDatabase("the events of agents", (openDatabase) => {
  const { serve, scene } = useServers(openDatabase);

  test("each event is recorded once: after restarts of the server, and by agents that return it again", async () => {
    const { at, transport, server, participant, events } = await scene();
    const first = eventOf();
    const second = eventOf({ kind: "endpoint-changed", address: "198.51.100.9" });
    events.list = [first];
    await untilCollected(events);
    await server.stop();
    // A list that was restored from a copy: the agent knows neither the position nor its later events.
    const third = eventOf({ kind: "tunnel-restored", number: first.number + 1 });
    events.list = [first, second, third];
    const again = await serve(at, transport);
    await untilCollected(events);
    const fourth = eventOf({ number: 1 });
    events.list = [second, first, fourth, second, fourth];
    await waitFor(() => expect(events.requests.at(-1)?.after).toBe(fourth.id));
    const { cookie, call } = await logIn(again.url, asn);
    expect(await readTexts({ ...participant, cookie, call })).toEqual([
      repaired,
      `When its agent started, ${host} repaired your tunnel, which was missing or had been changed.`,
      `The hostname of your endpoint has a new address, which ${host} uses now. The new address is 198.51.100.9.`,
      repaired,
    ]);
  });

  test("a restored backup collects the events since then, and none twice", async () => {
    const { at, transport, server, events } = await scene();
    events.list = [eventOf()];
    await untilCollected(events);
    await server.stop();
    const backup = await copyDatabase(at);
    events.list = [...events.list, eventOf({ kind: "endpoint-change-failed" })];
    const { stop } = await serve(at, transport);
    await untilCollected(events);
    await stop();
    events.list = [...events.list, eventOf({ kind: "router-restored", asn: null })];
    await serve(backup, transport);
    await untilCollected(events);
    expect((await readRows(backup)).map(({ kind }) => kind)).toEqual([
      "tunnel-repaired",
      "endpoint-change-failed",
      "router-restored",
    ]);
  });

  test("waits with a node whose peerings the database does not know, and loses no event", async () => {
    const { at, transport, server, events } = await scene();
    await server.stop();
    // A database that was restored from a backup before the deployment.
    const [peering] = await editDatabase(at, async (db) => {
      await db.deleteFrom("tasks").execute();
      return db.deleteFrom("peerings").returningAll().execute();
    });
    if (!peering) throw new Error("the participant has a peering");
    events.list = [eventOf()];
    events.requests.length = 0;
    const { stop } = await serve(at, transport);
    const findConflicts = () =>
      editDatabase(at, (db) => db.selectFrom("peering_conflicts").select("asn").execute());
    await waitFor(async () => expect(await findConflicts()).toEqual([{ asn }]));
    await stop();
    expect(events.requests).toEqual([]);
    await editDatabase(at, async (db) => {
      await db.insertInto("peerings").values(peering).execute();
      await db.deleteFrom("peering_conflicts").execute();
    });
    await serve(at, transport);
    await untilCollected(events);
    expect((await readRows(at)).map(({ kind }) => kind)).toEqual(["tunnel-repaired", "peering-conflict"]);
  });

  test("says that events are missing that the agent has dropped, and how often something happened", async () => {
    const { participant, at, events } = await scene();
    events.list = [eventOf({ number: 7, repeats: 1 })];
    await untilCollected(events);
    events.list = [eventOf({ number: 20, repeats: 359 })];
    await untilCollected(events);
    expect(await readTexts(participant)).toEqual([
      `${repaired} This happened 359 more times within an hour.`,
      `${repaired} This happened once more within an hour.`,
    ]);
    expect(await readOperatorLog(at)).toContain(
      `Events of ${node} are missing, because its agent had dropped them before the server collected them. Missing: 12.  (kind=agent-events-missed)`,
    );
  });
});

describeWithDatabase("the events of one agent", (openDatabase) => {
  const { serve, scene } = useServers(openDatabase);

  test("participant and operator read what the agent repaired by itself", async () => {
    const at = await openDatabase();
    let drift: readonly Finding[] = [];
    let isBroken = false;
    const clock = {
      now: systemClock.now,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 500, signal),
    };
    await using server = await startAgentWithRouter(
      (simulated) => ({
        findDrift: async () => drift,
        set: async (desired, report) => {
          if (isBroken) throw new Error("AS4242420009: no space left on device");
          if (drift.length > 0) report.repairedTunnel(asn);
          await simulated.set(desired, report);
          drift = [];
        },
      }),
      { clock, reconcileEveryMs, ...(at.kind === "postgres" && { databaseUrl: at.url }) },
    );
    const one = await signUp(server.url, asn);
    const other = await signUp(server.url, "4242420002");
    await deployPeering(one, node);
    await deployPeering(other, node);
    expect(await readTexts(one)).toEqual([]);

    isBroken = true;
    drift = [{ code: "tunnels-drifted", facts: { tunnels: 1 } }];
    const used = at.kind === "postgres" ? at : { ...at, dataDir: server.dataDir };
    await waitFor(async () => expect(await readRows(used)).toHaveLength(1));
    isBroken = false;
    await waitFor(async () => expect(await readTexts(one)).toEqual([repaired]));
    expect(await readTexts(other)).toEqual([]);
    expect(await readOperatorLog(used)).toEqual([
      `${node} repaired AS${asn}'s tunnel, which was missing or had been changed.  (kind=tunnel-repaired as=${asn})`,
      `${node} did not run its confirmed configuration, and its agent repaired it. Tunnels that are missing or were changed: 1.  (kind=router-repaired)`,
      `${node} does not run its confirmed configuration. Its agent could not repair it and tries again at least every minute. The router does not run the confirmed configuration: AS4242420009: no space left on device.  (kind=router-repair-failed)`,
    ]);
  });

  test.each([
    ["right", 0],
    ["two days ahead", 2 * dayMs],
    ["two days behind", -2 * dayMs],
  ])("an agent whose clock is %s: events have the time at which they happened", async (_, offset) => {
    const events = createListedEvents(() => Date.now() + offset);
    const { participant } = await scene(events);
    const happened = Date.now() - hourMs;
    const future = eventOf({ at: Date.now() + offset + dayMs, kind: "tunnel-restored" });
    events.list = [eventOf({ at: happened + offset }), future];
    await untilCollected(events);
    const [newest, older] = await readActivity(participant);
    expect(newest).toMatchObject({ kind: "tunnel-restored" });
    expect(newest?.at).toBeLessThanOrEqual(Date.now());
    expect(Math.abs((older?.at ?? 0) - happened)).toBeLessThan(30_000);
  });

  test("a hostile agent writes about its own peerings only, and no words of its own to participants", async () => {
    const { participant, server, at, events } = await scene();
    const other = await signUp(server.url, "4242420002");
    const words = "Your password has expired. Enter it at evil.example.";
    const findings = [{ code: "router-not-restored", facts: { output: words } }];
    events.list = [
      eventOf({ asn: "4242420002" }),
      eventOf({ asn: "no AS" }),
      eventOf({ kind: "account-deleted" }),
      eventOf({ kind: "of-a-later-version" }),
      eventOf({ kind: "router-repaired" }),
      eventOf({ kind: "tunnel-repaired", asn: null }),
      eventOf({ at: Date.now() - 401 * dayMs }),
      eventOf({ findings, steps: [{ code: "of-a-later-version", facts: { output: words } }] }),
      eventOf({ kind: "endpoint-changed", address: "dead:beef", findings }),
      eventOf({ kind: "router-repaired", asn: null, findings }),
    ];
    await untilCollected(events);
    expect(await readTexts(other)).toEqual([]);
    expect(await readTexts(participant)).toEqual([
      `The hostname of your endpoint has a new address, which ${host} uses now.`,
      repaired,
    ]);
    expect((await readRows(at)).map(({ kind, asn: of, detail }) => [kind, of, detail])).toEqual([
      ["tunnel-repaired", asn, null],
      ["endpoint-changed", asn, null],
      ["router-repaired", null, `The router does not run the confirmed configuration: ${words}`],
    ]);
  });

  test("records nothing of an invalid response, and goes on when the next one is right", async () => {
    const { participant, events } = await scene();
    for (const wrong of [
      { address: "198.51.100.9\u001b[2J" },
      { address: "\u202E" },
      { address: "1".repeat(46) },
      { address: "Enter your password" },
      { kind: "tunnel repaired\n" },
      { id: "1' OR 1=1" },
      { repeats: 1e15 },
      { at: null },
    ]) {
      const before = events.requests.length;
      events.list = [{ ...eventOf(), ...wrong }];
      await waitFor(() => expect(events.requests.length).toBeGreaterThan(before + 2));
      expect([wrong, await readTexts(participant)]).toEqual([wrong, []]);
    }
    events.list = [eventOf()];
    await waitFor(async () => expect(await readTexts(participant)).toEqual([repaired]));
  });

  test("the operator reads nothing of an invalid finding or step, except that it is invalid", async () => {
    const { at, events } = await scene();
    const invalid: readonly CodedFacts[] = [
      printed("line\u001b[2J"),
      printed("\u202E"),
      printed("x".repeat(501)),
      { code: "not-deployed", facts: { host: "Enter your password" } },
      { code: "Enter your password", facts: {} },
    ];
    events.list = invalid.map((wrong) =>
      eventOf({ kind: "router-restored", asn: null, findings: [wrong], steps: [wrong] }),
    );
    await untilCollected(events);
    expect((await readRows(at)).map(({ detail }) => detail)).toEqual(
      invalid.map(
        () =>
          'The agent reports "invalid", which this server does not know. Did a step that the server does not know: invalid.',
      ),
    );
  });

  test("of an answer, more events than allowed are not recorded, and the text about a node is cut", async () => {
    const { at, events } = await scene();
    const before = events.requests.length;
    events.pageSize = maxEventsPerCall + 1;
    events.list = Array.from({ length: events.pageSize }, () => eventOf());
    await waitFor(() => expect(events.requests.length).toBeGreaterThan(before + 2));
    expect(await readRows(at)).toEqual([]);
    const findings = Array.from({ length: 50 }, () => printed("x".repeat(500)));
    events.list = [eventOf({ kind: "router-repaired", asn: null, findings })];
    await untilCollected(events);
    expect((await readRows(at)).map(({ detail }) => detail?.length)).toEqual([600]);
  });

  test("a flood is limited to an answer in half a minute, also from a node that is lost and found", async () => {
    const at = await openDatabase();
    const events = createListedEvents();
    const agent = withEvents(await simulatedNode(), events);
    let isLost = false;
    let comparisons = 0;
    const transport: Transport = async (request) => {
      if (isLost) throw new Error("the connection was refused");
      if (request.path === "/v1/generations") comparisons += 1;
      return agent(request);
    };
    const server = await serve(at, transport, 60_000);
    const { call } = await signUp(server.url, asn);
    const readStatus = () => call(calls.getNodeStatus, { username: asn, node });
    for (let round = 1; round <= 3; round += 1) {
      events.list = Array.from({ length: 250 }, () => eventOf({ kind: "router-repaired", asn: null }));
      isLost = true;
      await waitFor(async () => expect((await readStatus()).results.known).toBe(false));
      isLost = false;
      const before = comparisons;
      await waitFor(async () => {
        await readStatus();
        expect(comparisons).toBeGreaterThan(before);
      });
    }
    await server.stop();
    expect(events.requests).toHaveLength(1);
    expect((await readRows(at)).length).toBeLessThanOrEqual(maxEventsPerCall);
  });
});

test("two servers with one PostgreSQL record each event once", async () => {
  await using database = await createTestDatabase("migrated");
  const events = createListedEvents();
  const transport = withEvents(await simulatedNode(), events);
  const folder = await mkdtemp(join(scratchFolder(), "peerdeck-agent-events-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const start = () =>
    startNodeServer({
      node,
      transport,
      reconcileEveryMs,
      dataDir: folder,
      databaseUrl: database.url,
    });
  await using one = await start();
  await using two = await start();
  const participant = await signUp(one.url, asn);
  await deployPeering(participant, node);
  for (let round = 0; round < 8; round += 1) {
    events.list = [...events.list, eventOf()];
    const before = events.requests.length;
    await waitFor(() => expect(events.requests.length).toBeGreaterThan(before + 3));
  }
  const kinds = (await readRows({ kind: "postgres", url: database.url })).map(({ kind }) => kind);
  expect(kinds).toEqual(Array.from({ length: 8 }, () => "tunnel-repaired"));
  expect(two.url).not.toBe(one.url);
});
