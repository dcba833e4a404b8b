/** Which changes of a session are told to whom, with states and messages in both databases. */
import { expect, onTestFinished, test } from "vitest";
import type { ObservedPeering } from "../../../src/contract/agent.ts";
import type { PushMessage } from "../../../src/contract/push.ts";
import { openDatabase } from "../../../src/server/db/open.ts";
import { createSessions } from "../../../src/server/features/accounts/sessions.ts";
import { hashSecret } from "../../../src/server/features/accounts/tokens.ts";
import { tellAlerts } from "../../../src/server/features/alerts/tell-alerts.ts";
import { addTask } from "../../../src/server/features/deployments/tasks.ts";
import { removeDesired } from "../../../src/server/features/peerings/desired.ts";
import { openPushKeys } from "../../../src/server/features/push/push-keys.ts";
import { saveSubscription } from "../../../src/server/features/push/subscriptions.ts";
import { createLog } from "../../../src/server/http/log.ts";
import { describeEachDatabase, type TestDatabase } from "../../setup/databases.ts";
import { browserSubscription } from "../push/browser.ts";

const asn = "4242420001";
const other = "4242420002";
const node = "de01";
const minuteMs = 60_000;

function observed(of: string, up: boolean): ObservedPeering {
  return {
    asn: of,
    tunnel: { state: "Up", rxBytes: 0, txBytes: 0, handshakeAgeSeconds: 1, latencyMs: 1, issues: [] },
    bgpStatus: up ? "OK" : "Down",
    sessions: [],
    bgpIssues: [],
  };
}

/** Looks at one node, a minute apart; the AS wants alerts and has a peering there. */
async function sceneAt(at: TestDatabase) {
  const database = await openDatabase({
    dataDir: at.kind === "sqlite" ? at.dataDir : "",
    url: at.kind === "postgres" ? at.url : null,
    onError: () => undefined,
  });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const { db, events } = database;
  const time = { now: Date.UTC(2026, 0, 20) };
  const sessions = createSessions({ db, events, clock: () => time.now });
  await openPushKeys(db);
  let woken = 0;
  const deps = { db, log: createLog("silent"), onTold: () => void (woken += 1) };

  async function subscribe(of = asn, alerts = true): Promise<string> {
    const token = await sessions.start(of);
    await saveSubscription(db, hashSecret(token) ?? "", { ...browserSubscription(), alerts }, time.now);
    return token;
  }

  async function insertPeering(of = asn): Promise<void> {
    const row = {
      generation: 1,
      revision: 1,
      present: 1,
      request: "{}",
      peering: "{}",
      listen_port: Number(of) % 1000,
    };
    await db
      .insertInto("peerings")
      .values({ asn: of, node, ...row, peer_ipv4: null, peer_ipv6: null, public_key: of })
      .execute();
  }

  await subscribe();
  await insertPeering();
  return {
    db,
    time,
    sessions,
    subscribe,
    insertPeering,
    woken: () => woken,
    /**
     * One look a letter: `u` up, `d` down, `-` the node does not answer, `x` it runs no such peering, a space: nobody
     * looks.
     */
    look: async (letters: string, beside: readonly ObservedPeering[] = []): Promise<void> => {
      let afterAbsence = false;
      for (const letter of letters) {
        time.now += minuteMs;
        if (letter === " ") {
          afterAbsence = true;
          continue;
        }
        const own = letter === "x" ? [] : [observed(asn, letter === "u")];
        const peerings = letter === "-" ? null : [...own, ...beside];
        await tellAlerts(deps, { at: time.now, looks: [{ node, peerings }], afterAbsence });
        afterAbsence = false;
      }
    },
    lookTwice: (letter: string) => {
      time.now += minuteMs;
      const looks = [{ node, peerings: [observed(asn, letter === "u")] }];
      const turn = { at: time.now, looks, afterAbsence: false };
      return Promise.all([1, 2].map(() => tellAlerts(deps, turn)));
    },
    /** What waits to be sent, and is gone then. */
    told: async (): Promise<string[]> => {
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

describeEachDatabase("alerts", (openTestDatabase) => {
  const scene = async () => sceneAt(await openTestDatabase());

  test("a session that fell and came back is told to each browser that wants it, with the time", async () => {
    const { db, look, told, subscribe, time, woken } = await scene();
    await subscribe();
    await subscribe(asn, false);
    await subscribe(other);
    await look("uud");
    expect(await told()).toEqual([]);
    await look("d");
    const rows = await db.selectFrom("push_messages").select("payload").execute();
    const message = { type: "session", username: asn, node, change: "down", at: time.now - minuteMs };
    expect(rows.map(({ payload }) => JSON.parse(payload) as object)).toEqual([message, message]);
    expect(woken()).toBe(1);
    expect(await told()).toEqual([down, down]);
    await look("dddd");
    expect(await told()).toEqual([]);
    await look("uu");
    expect(await told()).toEqual([up, up]);
  });

  test("what was seen before nobody looked makes no two looks in a row with what is seen after", async () => {
    const { look, told } = await scene();
    await look("uud du");
    expect(await told()).toEqual([]);
    await look("dd");
    expect(await told()).toEqual([down]);
  });

  test("a state that another version has kept is as none", async () => {
    const { db, look, told } = await scene();
    await look("uu");
    await db.updateTable("session_alerts").set({ state: '{"believed":"sideways"}' }).execute();
    await look("uudd");
    expect(await told()).toEqual([down]);
  });

  test("of two servers that look at the same moment one tells", async () => {
    const { look, lookTwice, told, woken } = await scene();
    await look("u");
    for (const letter of "udduu") await lookTwice(letter);
    // The fall and the return, whichever server came first.
    expect(woken()).toBe(2);
    expect(await told()).toEqual([up]);
  });

  test("a node that does not answer says nothing of its sessions", async () => {
    const { look, told } = await scene();
    await look("uu-----uu");
    expect(await told()).toEqual([]);
    await look("d-d-d");
    expect(await told()).toEqual([]);
    await look("d");
    expect(await told()).toEqual([down]);
  });

  test("nor does one on which nobody has a session", async () => {
    const { look, told } = await scene();
    const others = (state: boolean) => [observed(other, state), observed("4242420003", state)];
    await look("uu", others(true));
    await look("dddd", others(false));
    expect(await told()).toEqual([]);
    await look("dd", [observed(other, true), observed("4242420003", false)]);
    expect(await told()).toEqual([down]);
  });

  test("a peering that its node does not run is down", async () => {
    const { look, told } = await scene();
    await look("uuxx");
    expect(await told()).toEqual([down]);
  });

  test("nothing is told in a deployment and for two minutes after it", async () => {
    const { db, look, told, time } = await scene();
    await look("uu");
    const wish = { asn, node, generation: 2, request: null, previous: null, waitMs: 1 };
    const { id } = await addTask(db, wish, time.now);
    await look("dddddd");
    await db
      .updateTable("tasks")
      .set({ status: "success", ended_at: time.now })
      .where("id", "=", id)
      .execute();
    // Half a minute later, and a minute after that.
    time.now -= minuteMs / 2;
    await look("dd");
    expect(await told()).toEqual([]);
    await look("uu");
    expect(await told()).toEqual([]);
    await look("dd");
    expect(await told()).toEqual([down]);
  });

  test("who wants no alerts any more is forgotten, and begins anew", async () => {
    const { db, look, told, states, subscribe, sessions } = await scene();
    await look("uudd");
    expect(await told()).toEqual([down]);
    await db.updateTable("push_subscriptions").set({ alerts: 0 }).execute();
    await look("d");
    expect(await states()).toEqual([]);
    await db.updateTable("push_subscriptions").set({ alerts: 1 }).execute();
    await look("uu");
    expect(await told()).toEqual([]);
    expect(await states()).toHaveLength(1);
    await db.updateTable("sessions").set({ expires_at: 0 }).execute();
    await look("u");
    expect(await states()).toEqual([]);
    const token = await subscribe();
    await look("u");
    expect(await states()).toHaveLength(1);
    await sessions.end(token);
    await look("u");
    expect(await states()).toEqual([]);
  });

  test("a peering that was deleted and made again begins anew", async () => {
    const { db, look, told, insertPeering, states } = await scene();
    await look("uudd");
    expect(await told()).toEqual([down]);
    await removeDesired(db, asn, node);
    expect(await states()).toEqual([]);
    await look("d");
    expect(await states()).toEqual([]);
    await insertPeering();
    await look("dduu");
    expect(await told()).toEqual([]);
    await look("dd");
    expect(await told()).toEqual([down]);
  });

  test("each peering of each AS is followed for itself", async () => {
    const { look, told, subscribe, insertPeering } = await scene();
    await subscribe(other);
    await insertPeering(other);
    await look("uu", [observed(other, true)]);
    await look("dd", [observed(other, true)]);
    expect(await told()).toEqual([down]);
    await look("uu", [observed(other, false)]);
    expect((await told()).toSorted()).toEqual([up, `${other} ${node} down`].toSorted());
  });

  test("what changes often is unsteady, and the end is told after half an hour of peace", async () => {
    const { look, told } = await scene();
    const heard: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      await look(round % 2 === 0 ? "uu" : "dd");
      heard.push(...(await told()));
    }
    const unsteady = `${asn} ${node} unsteady`;
    expect(heard).toEqual([down, up, down, unsteady]);
    await look("u".repeat(30));
    expect(await told()).toEqual([]);
    await look("u");
    expect(await told()).toEqual([up]);
  });
});
