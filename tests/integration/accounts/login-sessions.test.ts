import { expect, test } from "vitest";
import type { Events } from "#server/db/events.ts";
import { createLoginSessions } from "#server/api/login-sessions.ts";
import { describeWithDatabase, type TestDatabase, openAsServer } from "../../support/databases.ts";

/** Events that are lost, as during a broken connection. The test ends the gap. */
function lostEvents() {
  let onResync: (() => void) | undefined;
  const events: Events = {
    publishIn: async () => {},
    publish: async () => {},
    subscribe: () => {},
    onResync: (listener) => {
      onResync = listener;
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return { events, reconnect: () => onResync?.() };
}

async function openAt(at: TestDatabase) {
  const time = { now: 1_000_000 };
  const database = await openAsServer(at);
  const serve = (events: Events) =>
    createLoginSessions({ db: database.db, events, clock: () => time.now, retentionClock: () => time.now });
  return { time, database, serve, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

describeWithDatabase("login sessions whose end event is lost", { postgres: "share" }, (openDatabase) => {
  test("end at once on the server that ended them, and seconds later on another one", async () => {
    await using at = await openAt(await openDatabase());
    const [here, there] = [at.serve(lostEvents().events), at.serve(lostEvents().events)];
    const token = await here.start("4242420001");
    await Promise.all([here, there].map((server) => server.find(token)));
    await here.end(token);
    expect(await here.find(token)).toBeNull();
    at.time.now += 4_999;
    expect(await there.find(token)).toBe("4242420001");
    at.time.now += 1;
    expect(await there.find(token)).toBeNull();
  });

  test("end on another server when its connection is restored", async () => {
    await using at = await openAt(await openDatabase());
    const lost = lostEvents();
    const [here, there] = [at.serve(lostEvents().events), at.serve(lost.events)];
    const token = await here.start("4242420001");
    await there.find(token);
    await here.end(token);
    lost.reconnect();
    expect(await there.find(token)).toBeNull();
  });
});
