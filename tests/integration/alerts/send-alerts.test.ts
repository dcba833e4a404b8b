/** Which session changes are alerted to which subscribers, with states and messages in both databases. */
import { expect, test } from "vitest";
import type { ObservedPeering } from "#contract/agent.ts";
import type { PushMessage } from "#contract/push.ts";
import { sendAlerts } from "#server/features/alerts/send-alerts.ts";
import { addTask } from "#server/features/peerings/deployment/task-store.ts";
import { removeDesired } from "#server/features/peerings/desired-peerings.ts";
import { createLog } from "#server/log.ts";
import { describeWithDatabase, type TestDatabase } from "../../support/databases.ts";
import { openSubscribers } from "../push/subscribers.ts";
import { asn, minuteMs, observed, recordPeerings } from "../server/observed-peerings.ts";

const other = "4242420002";
const node = "de01";

/** Observations of one node, a minute apart; the AS subscribes to alerts and has a peering there. */
async function createScene(at: TestDatabase) {
  const { subscribe, ...subscribers } = await openSubscribers(at);
  const { db, time, clock: retentionClock } = subscribers;
  let signals = 0;
  const deps = { db, retentionClock, log: createLog("silent"), onEnqueued: () => void (signals += 1) };
  const insertPeering = (of = asn) => recordPeerings(db, [node], of);

  await subscribe(asn, true);
  await insertPeering();
  return {
    ...subscribers,
    subscribe: (of = asn, alerts = true) => subscribe(of, alerts),
    insertPeering,
    signals: () => signals,
    /**
     * One observation per letter: `u` up, `r` up with refused routes, `d` down, `-` the node does not respond, `x` the node does not run the
     * peering, a space: no observation.
     */
    observe: async (letters: string, beside: readonly ObservedPeering[] = []): Promise<void> => {
      let afterGap = false;
      for (const letter of letters) {
        time.now += minuteMs;
        if (letter === " ") {
          afterGap = true;
          continue;
        }
        const own =
          letter === "x" ? [] : [observed({ isUp: letter !== "d", routes: [0, letter === "r" ? 18 : 0] })];
        const peerings = letter === "-" ? null : [...own, ...beside];
        await sendAlerts(deps, { at: time.now, nodes: [{ node, peerings }], afterGap });
        afterGap = false;
      }
    },
    observeTwice: (letter: string) => {
      time.now += minuteMs;
      const nodes = [{ node, peerings: [observed({ isUp: letter === "u" })] }];
      const observation = { at: time.now, nodes, afterGap: false };
      return Promise.all([1, 2].map(() => sendAlerts(deps, observation)));
    },
    /** Removes and returns the messages that wait to be sent. */
    takeMessages: async (): Promise<string[]> => {
      const rows = await db.deleteFrom("push_messages").returning("payload").execute();
      return rows
        .map(({ payload }) => JSON.parse(payload) as Extract<PushMessage, { type: "session" }>)
        .map(({ username, node: where, change }) => `${username} ${where} ${change}`);
    },
    states: () => db.selectFrom("session_alerts").select(["asn", "state"]).execute(),
  };
}

const down = `${asn} ${node} down`;
const up = `${asn} ${node} up`;

describeWithDatabase("alerts", { postgres: "share" }, (openTestDatabase) => {
  const scene = async () => createScene(await openTestDatabase());

  test("a session that goes down and comes back is alerted to each subscribed browser, with the time", async () => {
    const { db, observe, takeMessages, subscribe, time, signals } = await scene();
    await subscribe();
    await subscribe(asn, false);
    await subscribe(other);
    await observe("uud");
    expect(await takeMessages()).toEqual([]);
    await observe("d");
    const rows = await db.selectFrom("push_messages").select("payload").execute();
    const message = { type: "session", username: asn, node, change: "down", at: time.now - minuteMs };
    expect(rows.map(({ payload }) => JSON.parse(payload) as object)).toEqual([message, message]);
    expect(signals()).toBe(1);
    expect(await takeMessages()).toEqual([down, down]);
    await observe("dddd");
    expect(await takeMessages()).toEqual([]);
    await observe("uu");
    expect(await takeMessages()).toEqual([up, up]);
  });

  test("refused routes are not a session that goes down", async () => {
    const { observe, takeMessages } = await scene();
    await observe("uurrruu");
    expect(await takeMessages()).toEqual([]);
    await observe("rdd");
    expect(await takeMessages()).toEqual([down]);
  });

  test("observations before and after a gap are not successive", async () => {
    const { observe, takeMessages } = await scene();
    await observe("uud du");
    expect(await takeMessages()).toEqual([]);
    await observe("dd");
    expect(await takeMessages()).toEqual([down]);
  });

  test("a state that another version has stored counts as none", async () => {
    const { db, observe, takeMessages } = await scene();
    await observe("uu");
    await db.updateTable("session_alerts").set({ state: '{"confirmed":"sideways"}' }).execute();
    await observe("uudd");
    expect(await takeMessages()).toEqual([down]);
  });

  test("a node that does not respond gives no result about its sessions", async () => {
    const { observe, takeMessages } = await scene();
    await observe("uu-----uu");
    expect(await takeMessages()).toEqual([]);
    await observe("d-d-d");
    expect(await takeMessages()).toEqual([]);
    await observe("d");
    expect(await takeMessages()).toEqual([down]);
  });

  test("a node without any session up gives no result either", async () => {
    const { observe, takeMessages } = await scene();
    const others = (state: boolean) => [other, "4242420003"].map((as) => observed({ asn: as, isUp: state }));
    await observe("uu", others(true));
    await observe("dddd", others(false));
    expect(await takeMessages()).toEqual([]);
    await observe("dd", [observed({ asn: other }), observed({ asn: "4242420003", isUp: false })]);
    expect(await takeMessages()).toEqual([down]);
  });

  test("a peering that its node does not run is down", async () => {
    const { observe, takeMessages } = await scene();
    await observe("uuxx");
    expect(await takeMessages()).toEqual([down]);
  });

  test("nothing is sent during a deployment and for two minutes after it", async () => {
    const { db, observe, takeMessages, time } = await scene();
    await observe("uu");
    const task = { asn, node, generation: 2, request: null, previous: null, waitMs: 1 };
    const { id } = await addTask(db, task, { now: time.now, retentionTime: time.now });
    await observe("dddddd");
    await db
      .updateTable("tasks")
      .set({ status: "success", ended_at: time.now })
      .where("id", "=", id)
      .execute();
    // Half a minute later, and a minute after that.
    time.now -= minuteMs / 2;
    await observe("dd");
    expect(await takeMessages()).toEqual([]);
    await observe("uu");
    expect(await takeMessages()).toEqual([]);
    await observe("dd");
    expect(await takeMessages()).toEqual([down]);
  });

  test("an AS that unsubscribes loses its states and starts without one", async () => {
    const { db, observe, takeMessages, states, subscribe, sessions } = await scene();
    await observe("uudd");
    expect(await takeMessages()).toEqual([down]);
    await db.updateTable("push_subscriptions").set({ alerts: 0 }).execute();
    await observe("d");
    expect(await states()).toEqual([]);
    await db.updateTable("push_subscriptions").set({ alerts: 1 }).execute();
    await observe("uu");
    expect(await takeMessages()).toEqual([]);
    expect(await states()).toHaveLength(1);
    await db.updateTable("login_sessions").set({ expires_at: 0 }).execute();
    await observe("u");
    expect(await states()).toEqual([]);
    const { token } = await subscribe();
    await observe("u");
    expect(await states()).toHaveLength(1);
    await sessions.end(token);
    await observe("u");
    expect(await states()).toEqual([]);
  });

  test("a peering that is deleted and created again starts without a state", async () => {
    const { db, observe, takeMessages, insertPeering, states } = await scene();
    await observe("uudd");
    expect(await takeMessages()).toEqual([down]);
    await removeDesired(db, asn, node);
    expect(await states()).toEqual([]);
    await observe("d");
    expect(await states()).toEqual([]);
    await insertPeering();
    await observe("dduu");
    expect(await takeMessages()).toEqual([]);
    await observe("dd");
    expect(await takeMessages()).toEqual([down]);
  });

  test("each peering of each AS has its own state", async () => {
    const { observe, takeMessages, subscribe, insertPeering } = await scene();
    await subscribe(other);
    await insertPeering(other);
    await observe("uu", [observed({ asn: other })]);
    await observe("dd", [observed({ asn: other })]);
    expect(await takeMessages()).toEqual([down]);
    await observe("uu", [observed({ asn: other, isUp: false })]);
    expect((await takeMessages()).toSorted()).toEqual([up, `${other} ${node} down`].toSorted());
  });
});

describeWithDatabase("alerts of two servers", { postgres: "always" }, (openTestDatabase) => {
  test("of two servers that observe at the same time one sends", async () => {
    const { observe, observeTwice, takeMessages, signals } = await createScene(await openTestDatabase());
    await observe("u");
    for (const letter of "udduu") await observeTwice(letter);
    // One signal for the fall and one for the return.
    expect(signals()).toBe(2);
    expect(await takeMessages()).toEqual([up]);
  });
});
