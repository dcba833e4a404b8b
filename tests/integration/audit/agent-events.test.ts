/** What agents do by themselves: repairs, in the activity of the AS and in the operator's log, each once. */
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#agent/clock.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { createTestDatabase, describeWithDatabase, postgresTemplate } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startAgentWithRouter } from "../server/agent-with-router.ts";
import { deployPeering, logIn, signUp } from "../server/participant.ts";
import {
  asn,
  copyDatabase,
  editDatabase,
  node,
  openScene,
  readActivity,
  readOperatorLog,
  readRows,
  readTexts,
  reconcileEveryMs,
  repaired,
  serve,
} from "./agent-event-scene.ts";
import { createListedEvents, eventOf, type ListedEvents, untilCollected } from "./listed-events.ts";

const host = `${node}.demo.dn42`;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A stack that is disposed after the test. */
function createStack(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  onTestFinished(() => stack.disposeAsync());
  return stack;
}

describeWithDatabase("the events of agents", { postgres: "share" }, (openDatabase) => {
  async function scene() {
    const stack = createStack();
    return { stack, ...(await openScene(stack, await openDatabase())) };
  }

  test("each event is recorded once: after restarts of the server, and by agents that return it again", async () => {
    const { stack, at, transport, server, participant, events } = await scene();
    const first = eventOf();
    const second = eventOf({ kind: "endpoint-changed", address: "198.51.100.9" });
    events.list = [first];
    await untilCollected(events);
    await server.stop();
    // A list that was restored from a copy: the agent knows neither the position nor its later events.
    const third = eventOf({ kind: "tunnel-restored", number: first.number + 1 });
    events.list = [first, second, third];
    const again = await serve(stack, at, transport);
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
    const { stack, at, transport, server, events } = await scene();
    events.list = [eventOf()];
    await untilCollected(events);
    await server.stop();
    const backup = await copyDatabase(at);
    events.list = [...events.list, eventOf({ kind: "endpoint-change-failed" })];
    const { stop } = await serve(stack, at, transport);
    await untilCollected(events);
    await stop();
    events.list = [...events.list, eventOf({ kind: "router-restored", asn: null })];
    await serve(stack, backup, transport);
    await untilCollected(events);
    expect((await readRows(backup)).map(({ kind }) => kind)).toEqual([
      "tunnel-repaired",
      "endpoint-change-failed",
      "router-restored",
    ]);
  });

  test("waits with a node whose peerings the database does not know, and loses no event", async () => {
    const { stack, at, transport, server, events } = await scene();
    await server.stop();
    // A database that was restored from a backup before the deployment.
    const [peering] = await editDatabase(at, async (db) => {
      await db.deleteFrom("tasks").execute();
      return db.deleteFrom("peerings").returningAll().execute();
    });
    if (!peering) throw new Error("the participant has a peering");
    events.list = [eventOf()];
    events.requests.length = 0;
    const { stop } = await serve(stack, at, transport);
    const findConflicts = () =>
      editDatabase(at, (db) => db.selectFrom("peering_conflicts").select("asn").execute());
    await waitFor(async () => expect(await findConflicts()).toEqual([{ asn }]));
    await stop();
    expect(events.requests).toEqual([]);
    await editDatabase(at, async (db) => {
      await db.insertInto("peerings").values(peering).execute();
      await db.deleteFrom("peering_conflicts").execute();
    });
    await serve(stack, at, transport);
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

describeWithDatabase("the events of one agent", { postgres: "campaigns" }, (openDatabase) => {
  test("participant and operator read what the agent repaired by itself", async () => {
    const at = await openDatabase();
    let drift: readonly Finding[] = [];
    let isBroken = false;
    let aheadMs = 0;
    const clock = {
      now: () => systemClock.now() + aheadMs,
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
      { clock, reconcileEveryMs, at },
    );
    const one = await signUp(server.url, asn);
    const other = await signUp(server.url, "4242420002");
    await deployPeering(one, node);
    await deployPeering(other, node);
    expect(await readTexts(one)).toEqual([]);

    isBroken = true;
    drift = [{ code: "tunnels-drifted", facts: { tunnels: 1 } }];
    await waitFor(async () => expect(await readRows(at)).toHaveLength(1));
    isBroken = false;
    // Longer than the longest backoff between two repairs.
    aheadMs = 61_000;
    await waitFor(async () => expect(await readTexts(one)).toEqual([repaired]));
    expect(await readTexts(other)).toEqual([]);
    expect(await readOperatorLog(at)).toEqual([
      `${node} repaired AS${asn}'s tunnel, which was missing or had been changed.  (kind=tunnel-repaired as=${asn})`,
      `${node} did not run its confirmed configuration, and its agent repaired it. Tunnels that are missing or were changed: 1.  (kind=router-repaired)`,
      `${node} does not run its confirmed configuration. Its agent could not repair it and tries again at least every minute. The router does not run the confirmed configuration: AS4242420009: no space left on device.  (kind=router-repair-failed)`,
    ]);
  });

  test("events have the time at which they happened, whatever the agent's clock says", async () => {
    const agentClock = { offset: 0 };
    const events: ListedEvents = createListedEvents(() => Date.now() + agentClock.offset);
    const { participant } = await openScene(createStack(), await openDatabase(), events);
    for (const offset of [0, 2 * dayMs, -2 * dayMs]) {
      agentClock.offset = offset;
      const happened = Date.now() - hourMs;
      const future = eventOf({ at: Date.now() + offset + dayMs, kind: "tunnel-restored" });
      events.list = [eventOf({ at: happened + offset }), future];
      await untilCollected(events);
      const activity = await readActivity(participant);
      // The future event counts as one of now.
      const newest = activity.find(({ kind }) => kind === "tunnel-restored");
      const older = activity.find(({ kind }) => kind === "tunnel-repaired");
      expect([offset, newest && newest.at <= Date.now()]).toEqual([offset, true]);
      expect([offset, Math.abs((older?.at ?? 0) - happened) < 30_000]).toEqual([offset, true]);
    }
  });
});

test("two servers with one PostgreSQL record each event once", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  await using stack = new AsyncDisposableStack();
  const at = { kind: "postgres", url: database.url } as const;
  const { events, transport } = await openScene(stack, at);
  await serve(stack, at, transport);
  for (let round = 0; round < 4; round += 1) {
    events.list = [...events.list, eventOf()];
    const before = events.requests.length;
    await waitFor(() => expect(events.requests.length).toBeGreaterThan(before + 3));
  }
  const kinds = (await readRows(at)).map(({ kind }) => kind);
  expect(kinds).toEqual(Array.from({ length: 4 }, () => "tunnel-repaired"));
});
