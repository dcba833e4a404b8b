import { expect, test } from "vitest";
import type { Events } from "../../../src/server/db/events.ts";
import { openDatabase as openServerDatabase } from "../../../src/server/db/open.ts";
import { createSessions } from "../../../src/server/features/accounts/sessions.ts";
import { describeEachDatabase, type TestDatabase } from "../../setup/databases.ts";

/** Events that nobody hears, as while a connection is broken; the test says when the gap is over. */
function lostEvents() {
  let tellGap: (() => void) | undefined;
  const events: Events = {
    publish: async () => {},
    subscribe: () => {},
    onGap: (listener) => {
      tellGap = listener;
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return { events, endGap: () => tellGap?.() };
}

async function openAt(at: TestDatabase) {
  const time = { now: 1_000_000 };
  const database = await openServerDatabase({
    dataDir: at.kind === "sqlite" ? at.dataDir : "",
    url: at.kind === "postgres" ? at.url : null,
    onError: () => undefined,
  });
  const serve = (events: Events) => createSessions({ db: database.db, events, clock: () => time.now });
  return { time, database, serve, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

describeEachDatabase("sessions whose end nobody hears of", (openDatabase) => {
  test("end at once on the server that ended them", async () => {
    await using at = await openAt(await openDatabase());
    const sessions = at.serve(lostEvents().events);
    const [first, second] = [await sessions.start("4242420001"), await sessions.start("4242420001")];
    expect([await sessions.find(first), await sessions.find(second)]).toEqual(["4242420001", "4242420001"]);
    await sessions.end(first);
    expect([await sessions.find(first), await sessions.find(second)]).toEqual([null, "4242420001"]);
    await sessions.endAll(at.database.db, "4242420001");
    await sessions.announceEnded("4242420001");
    expect(await sessions.find(second)).toBeNull();
  });

  test("end a minute later on another", async () => {
    await using at = await openAt(await openDatabase());
    const [here, there] = [at.serve(lostEvents().events), at.serve(lostEvents().events)];
    const token = await here.start("4242420001");
    await there.find(token);
    await here.end(token);
    at.time.now += 59_999;
    expect(await there.find(token)).toBe("4242420001");
    at.time.now += 1;
    expect(await there.find(token)).toBeNull();
  });

  test("end on another when its connection is back", async () => {
    await using at = await openAt(await openDatabase());
    const lost = lostEvents();
    const [here, there] = [at.serve(lostEvents().events), at.serve(lost.events)];
    const token = await here.start("4242420001");
    await there.find(token);
    await here.end(token);
    lost.endGap();
    expect(await there.find(token)).toBeNull();
  });
});
