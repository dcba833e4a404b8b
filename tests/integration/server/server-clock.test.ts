/** Which jumps of the system's clock the server follows, and what happens to login sessions then. */
import { expect, onTestFinished, test } from "vitest";
import { createLoginSessions } from "#server/api/login-sessions.ts";
import { openServerClock, type ServerClock } from "#server/db/server-clock.ts";
import { createLog } from "#server/log.ts";
import { describeEachDatabase, openAsServer, type TestDatabase } from "../../support/databases.ts";

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 20);

/** A host with a system clock that can jump, and nodes that have the right time. */
function createHost({ nodes = 0 }: { readonly nodes?: number } = {}) {
  const time = { monotonic: 0, jump: 0, nodesJump: 0, nodes };
  return {
    time,
    pass: (ms: number) => {
      time.monotonic += ms;
    },
    deps: {
      systemTime: () => start + time.monotonic + time.jump,
      monotonicTime: () => time.monotonic,
      readNodeTimes: async () =>
        Array.from({ length: time.nodes }, () => start + time.monotonic + time.nodesJump),
      isTrusted: false,
      log: createLog("silent"),
    },
  };
}

async function open(at: TestDatabase) {
  const database = await openAsServer(at);
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database;
}

async function passDays(host: ReturnType<typeof createHost>, clock: ServerClock, days: number) {
  for (let hour = 0; hour < days * 24; hour += 1) {
    host.pass(dayMs / 24);
    await clock.check();
  }
}

describeEachDatabase("the server's clock", (openDatabase) => {
  test("small steps are followed at once, a jump is not, and its end is noticed", async () => {
    const { db } = await open(await openDatabase());
    const host = createHost({ nodes: 2 });
    const clock = await openServerClock({ db, ...host.deps });
    host.time.jump = -200_000;
    expect(clock.now()).toBe(start - 200_000);
    await clock.check();
    host.time.jump = 40 * dayMs;
    host.pass(1000);
    await clock.check();
    expect(clock.now()).toBe(start - 200_000 + 1000);
    expect(clock.readDoubtMs()).toBe(40 * dayMs + 200_000);
    host.time.jump = 0;
    await clock.check();
    expect([clock.now(), clock.readDoubtMs()]).toEqual([start + 1000, 0]);
  });

  test("a jump that the nodes have too is followed, and login sessions keep their remaining time", async () => {
    const { db, events } = await open(await openDatabase());
    // It starts with a wrong time, as a host without a battery does.
    const host = createHost();
    host.time.jump = -2200 * dayMs;
    const clock = await openServerClock({ db, ...host.deps });
    const sessions = createLoginSessions({ db, events, clock: () => clock.now() });
    const token = await sessions.start("4242420001");
    host.time.jump = 0;
    host.time.nodes = 3;
    await clock.check();
    expect([clock.now(), clock.readDoubtMs()]).toEqual([start, 0]);
    expect(await sessions.find(token)).toBe("4242420001");
    host.pass(31 * dayMs);
    expect(await sessions.find(token)).toBeNull();
  });

  test("time without a server counts for login sessions, also if the nodes confirm it later", async () => {
    const { db, events } = await open(await openDatabase());
    const host = createHost();
    const before = await openServerClock({ db, ...host.deps });
    const sessions = createLoginSessions({ db, events, clock: () => before.now() });
    await sessions.start("4242420001");
    const ends = async () =>
      (await db.selectFrom("login_sessions").select(["created_at", "expires_at"]).execute()).map(
        ({ created_at, expires_at }) => [created_at, expires_at],
      );
    const stored = await ends();
    // No server runs for 20 days, and no node responds when one starts again.
    host.time.jump = 20 * dayMs;
    const clock = await openServerClock({ db, ...host.deps });
    host.pass(60_000);
    await clock.check();
    expect(clock.readDoubtMs()).toBe(20 * dayMs);
    host.time.nodes = 2;
    host.time.nodesJump = 20 * dayMs;
    await clock.check();
    expect([clock.now(), clock.readDoubtMs()]).toEqual([start + 20 * dayMs + 60_000, 0]);
    expect(await ends()).toEqual(stored);
    // A later jump of the running server is none of its downtime.
    host.time.jump = 60 * dayMs;
    host.time.nodesJump = 60 * dayMs;
    await clock.check();
    expect(await ends()).toEqual(stored.map((times) => times.map((time) => time + 40 * dayMs)));
  });

  test("of two servers that follow a jump, one moves the login sessions", async () => {
    const at = await openDatabase();
    const [one, two] = [await open(at), await open(at)];
    const host = createHost();
    const clocks = [
      await openServerClock({ db: one.db, ...host.deps }),
      await openServerClock({ db: two.db, ...host.deps }),
    ];
    const sessions = createLoginSessions({ ...one, clock: () => clocks[0]?.now() ?? 0 });
    await sessions.start("4242420001");
    const ends = () => one.db.selectFrom("login_sessions").select("expires_at").executeTakeFirstOrThrow();
    const { expires_at: before } = await ends();
    host.time.jump = 40 * dayMs;
    for (const clock of clocks) await clock.check();
    expect((await ends()).expires_at).toBe(before);
    host.time.nodes = 1;
    host.time.nodesJump = 40 * dayMs;
    for (const clock of clocks) await clock.check();
    expect(clocks.map((clock) => clock.now())).toEqual([start + 40 * dayMs, start + 40 * dayMs]);
    expect((await ends()).expires_at).toBe(before + 40 * dayMs);
  });

  test("without a node, a jump is followed after three days without another one", async () => {
    const { db } = await open(await openDatabase());
    const host = createHost();
    const clock = await openServerClock({ db, ...host.deps });
    host.time.jump = 40 * dayMs;
    await passDays(host, clock, 2);
    host.time.jump = 41 * dayMs;
    await passDays(host, clock, 2.5);
    expect(clock.readDoubtMs()).toBe(41 * dayMs);
    await passDays(host, clock, 1);
    expect(clock.readDoubtMs()).toBe(0);
  });

  test("a server that starts again continues with the time in the database", async () => {
    const { db } = await open(await openDatabase());
    const host = createHost({ nodes: 1 });
    const first = await openServerClock({ db, ...host.deps });
    host.pass(60_000);
    await first.check();
    host.time.jump = 730 * dayMs;
    const second = await openServerClock({ db, ...host.deps });
    expect([second.now(), second.readDoubtMs()]).toEqual([start + 60_000, 730 * dayMs]);
  });
});
